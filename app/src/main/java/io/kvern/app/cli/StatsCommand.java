package io.kvern.app.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Shows what a node says of itself. */
@Command(
        name = "stats",
        mixinStandardHelpOptions = true,
        header = "Shows a node's state: partitions, lag, blocks, bytes, counters.",
        description = "One 'name:value' a line, as INFO answers it.")
final class StatsCommand implements Callable<Integer> {
    @Mixin
    private NodeOptions node = new NodeOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        try (Jedis redis = node.redis("default")) {
            PrintWriter out = spec.commandLine().getOut();
            out.print(redis.info().replace("\r\n", "\n"));
            out.flush();
            return ExitCodes.OK;
        } catch (JedisConnectionException e) {
            throw node.away(e);
        }
    }
}
