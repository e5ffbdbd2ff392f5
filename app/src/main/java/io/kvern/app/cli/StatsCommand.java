package io.kvern.app.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Override
    public Integer call() {
        try (Jedis redis = node.redis("default")) {
            System.out.print(redis.info());
            System.out.flush();
            return ExitCodes.OK;
        } catch (JedisConnectionException e) {
            throw node.away(e);
        }
    }
}
