package io.kvern.protocol;

import io.kvern.model.BlockKey;
import io.kvern.model.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * A record of {@code kvern.loads}: a worker asks the owner of some blocks to send them to a partition of {@code
 * kvern.replies}.
 *
 * @param requestId never used twice; each reply carries it
 * @param worker who asks, 1 to {@value #MAX_WORKER_BYTES} bytes of UTF-8; the key of each reply
 * @param keys 1 to {@value #MAX_KEYS}, all of the partition that the record stands on
 * @param epoch blocks of an older generation count as absent; 0 for any
 * @param deadlineMillis after this nobody waits, milliseconds since 1970
 * @param replyPartition 0 or more
 * @param priority 0 is ordinary; carried, not looked at yet
 */
public record LoadRequestEvent(
        UUID requestId,
        String worker,
        List<BlockKey> keys,
        long epoch,
        long deadlineMillis,
        int replyPartition,
        int priority) {
    /** Most keys of one request: with the longest ids they still fit a record of an unchanged broker. */
    public static final int MAX_KEYS = 512;

    public static final int MAX_WORKER_BYTES = 256;

    /** @throws InvalidInputException naming the number that is impossible */
    public LoadRequestEvent {
        keys = List.copyOf(keys);
        if (keys.isEmpty() || keys.size() > MAX_KEYS) {
            throw new InvalidInputException(
                    "load request has %d keys; 1 to %d are possible".formatted(keys.size(), MAX_KEYS));
        }
        int name = worker.getBytes(StandardCharsets.UTF_8).length;
        if (name == 0 || name > MAX_WORKER_BYTES) {
            throw new InvalidInputException(
                    "worker's name has %d UTF-8 bytes; 1 to %d are possible".formatted(name, MAX_WORKER_BYTES));
        }
        if (epoch < 0) {
            throw new InvalidInputException("load request has epoch %d; 0 or more is possible".formatted(epoch));
        }
        if (replyPartition < 0) {
            throw new InvalidInputException(
                    "load request names reply partition %d; 0 or more is possible".formatted(replyPartition));
        }
    }
}
