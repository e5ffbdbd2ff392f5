package io.kvern.bench;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * How much is measured.
 *
 * @param quick whether single calls are few as well
 * @param rounds alternating rounds per row
 * @param warmUp how long each row runs before they count
 * @param blockBytes sizes of blocks
 * @param logBytes what a round sends through the log, at each size
 * @param readBytes what a round reads
 * @param only names of the rows to measure; empty for all
 */
public record BenchPlan(
        boolean quick,
        int rounds,
        Duration warmUp,
        List<Integer> blockBytes,
        long logBytes,
        long readBytes,
        Set<String> only) {
    private static final long MIB = 1 << 20;

    /** 64 KiB; 576 KiB and 4 and 10 MiB are K or V of 64 tokens of three model shapes; 1.1 MiB is two chunks and a rest. */
    private static final List<Integer> SIZES = List.of(64 << 10, 576 << 10, 1_153_434, 4 << 20, 10 << 20);

    /** Every row that there is. */
    public static final List<String> ROWS =
            List.of("append", "read", "evict", "replay", "wire", "log", "match", "load", "backlog", "inner");

    public BenchPlan {
        blockBytes = List.copyOf(blockBytes);
        only = Set.copyOf(only);
        if (rounds < 1 || rounds > 1000) {
            throw new InvalidInputException("--rounds is %d; 1 to 1000 are possible".formatted(rounds));
        }
        for (int bytes : blockBytes) {
            if (bytes < 1 || bytes > Limits.DEFAULT_MAX_BLOCK_BYTES) {
                throw new InvalidInputException(
                        "--block-bytes has %d; 1 to %d are possible".formatted(bytes, Limits.DEFAULT_MAX_BLOCK_BYTES));
            }
        }
        for (String name : only) {
            if (!ROWS.contains(name)) {
                throw new InvalidInputException("--only names '%s'; there are %s".formatted(name, ROWS));
            }
        }
    }

    /** What the tables of the documentation are made with. */
    public static BenchPlan full(Set<String> only) {
        return new BenchPlan(false, 7, Duration.ofSeconds(5), SIZES, 384 * MIB, 1024 * MIB, only);
    }

    /** To see that it works, and roughly what it says. */
    public static BenchPlan quick(Set<String> only) {
        return new BenchPlan(
                true, 3, Duration.ofSeconds(2), List.of(64 << 10, 1_153_434, 4 << 20), 192 * MIB, 256 * MIB, only);
    }

    /** The same with other sizes of blocks; none leaves them as they are. */
    public BenchPlan withBlockBytes(List<Integer> sizes) {
        return sizes.isEmpty() ? this : new BenchPlan(quick, rounds, warmUp, sizes, logBytes, readBytes, only);
    }

    /** The same with so many rounds; 0 leaves them as they are. */
    public BenchPlan withRounds(int count) {
        return count == 0 ? this : new BenchPlan(quick, count, warmUp, blockBytes, logBytes, readBytes, only);
    }

    public boolean measures(String row) {
        return only.isEmpty() || only.contains(row);
    }

    public boolean measuresAny(List<String> rows) {
        return rows.stream().anyMatch(this::measures);
    }
}
