package io.kvern.app.cli;

import io.kvern.model.BlockId;
import io.kvern.model.InvalidInputException;
import io.kvern.model.KvernException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Stores a file as a block. */
@Command(
        name = "put",
        mixinStandardHelpOptions = true,
        header = "Stores a file as a block, through a node's door.",
        description = "Answers when Kafka has acknowledged the block and the node has applied it.")
final class PutCommand implements Callable<Integer> {
    @Mixin
    private NodeOptions node = new NodeOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "NAMESPACE", description = "Any text, such as org/model.")
    private String namespace = "";

    @Parameters(index = "1", paramLabel = "ID", description = "Name of the block, up to 1024 bytes of UTF-8.")
    private String id = "";

    @Parameters(index = "2", paramLabel = "FILE", description = "Its bytes.")
    private Path file = Path.of("");

    @Override
    public Integer call() {
        // Checked here already, for an error without a round trip.
        BlockId checked = BlockId.of(id);
        NodeOptions.namespace(namespace);
        byte[] bytes = read();
        try (Jedis redis = node.redis(namespace)) {
            redis.set(id.getBytes(StandardCharsets.UTF_8), bytes);
        } catch (JedisDataException e) {
            throw new KvernException("the node refused block %s: %s".formatted(checked, e.getMessage()), e);
        } catch (JedisConnectionException e) {
            throw node.away(e);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.printf("stored %s, %d bytes%n", checked, bytes.length);
        out.flush();
        return ExitCodes.OK;
    }

    private byte[] read() {
        try {
            if (Files.size(file) > Integer.MAX_VALUE - 8) {
                throw new InvalidInputException("%s is larger than any block".formatted(file));
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new InvalidInputException("cannot read %s: %s".formatted(file, e), e);
        }
    }
}
