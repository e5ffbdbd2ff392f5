package io.kvern.resp.server;

/**
 * Counters since the server was started, and gauges of now.
 *
 * @param connections open now, those whose last command still runs included
 * @param accepted connections ever
 * @param rejected connections turned away over the limit
 * @param commands handled
 * @param errors error replies
 * @param protocolErrors connections closed because of what they sent
 * @param timeouts connections closed because they were idle, or stalled while sending or receiving
 * @param bytesIn from clients
 * @param bytesOut to clients
 * @param memoryInUse bytes of the memory budget held by requests and replies
 * @param memoryBytes the budget
 */
public record RespServerStats(
        int connections,
        long accepted,
        long rejected,
        long commands,
        long errors,
        long protocolErrors,
        long timeouts,
        long bytesIn,
        long bytesOut,
        long memoryInUse,
        long memoryBytes) {}
