package io.kvern.app.cli;

import io.kvern.model.BlockId;
import io.kvern.model.KvernException;
import io.kvern.model.Namespace;
import io.kvern.worker.load.BlockLoad;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.load.LoadStatus;
import io.kvern.worker.load.MatchResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Loads a block, with its checksum verified here. */
@Command(
        name = "get",
        mixinStandardHelpOptions = true,
        header = "Loads a block and writes its bytes to standard output or a file.",
        description = "The checksum is verified here, before the first byte is written.")
final class GetCommand implements Callable<Integer> {
    @Mixin
    private NodeOptions node = new NodeOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "NAMESPACE", description = "Any text, such as org/model.")
    private String namespace = "";

    @Parameters(index = "1", paramLabel = "ID", description = "Name of the block.")
    private String id = "";

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            description = "Where the bytes go; replaced if it exists. Default: standard output.")
    private @Nullable Path out;

    @Override
    public Integer call() {
        BlockId block = BlockId.of(id);
        Namespace where = NodeOptions.namespace(namespace);
        try (BlockLoader loader = node.loader(where)) {
            MatchResult match = loader.match(List.of(block), node.timeout());
            if (match.length() == 0) {
                return absent(block, match.certain() ? LoadStatus.MISS : LoadStatus.UNSURE, "");
            }
            ByteBuffer bytes = ByteBuffer.allocateDirect(Math.toIntExact(match.bytes()));
            BlockLoad load = loader.load(List.of(new LoadRequest(block, bytes)), node.timeout())
                    .blocks()
                    .getFirst();
            if (load.status() != LoadStatus.LOADED) {
                return absent(block, load.status(), load.detail());
            }
            write(bytes.flip());
            return ExitCodes.OK;
        }
    }

    private int absent(BlockId block, LoadStatus status, String detail) {
        PrintWriter err = spec.commandLine().getErr();
        err.printf(
                "kvern: %s: %s%s%n",
                block,
                switch (status) {
                    case MISS -> "no such block";
                    case CORRUPT -> "stored bytes were damaged";
                    case LATE -> "not loaded within " + node.timeout().toSeconds() + " s (--timeout)";
                    case REFUSED -> "refused";
                    case UNSURE, LOADED -> "no node can tell now (is one running at " + node.address() + "?)";
                },
                detail.isEmpty() ? "" : ": " + detail);
        err.flush();
        return switch (status) {
            case MISS -> ExitCodes.NOT_FOUND;
            case UNSURE, LATE -> ExitCodes.UNAVAILABLE;
            default -> ExitCodes.FAILED;
        };
    }

    private void write(ByteBuffer bytes) {
        Path file = out;
        try {
            if (file == null) {
                print(bytes);
            } else {
                save(bytes, file);
            }
        } catch (IOException e) {
            throw new KvernException("cannot write to %s: %s".formatted(file == null ? "standard output" : file, e), e);
        }
    }

    private static void print(ByteBuffer bytes) throws IOException {
        byte[] piece = new byte[1 << 16];
        while (bytes.hasRemaining()) {
            int count = Math.min(piece.length, bytes.remaining());
            bytes.get(piece, 0, count);
            System.out.write(piece, 0, count);
        }
        if (System.out.checkError()) {
            throw new IOException("it is closed");
        }
    }

    private static void save(ByteBuffer bytes, Path file) throws IOException {
        try (FileChannel target = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            while (bytes.hasRemaining()) {
                target.write(bytes);
            }
        }
    }
}
