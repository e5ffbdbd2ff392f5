package io.kvern.bench.lane;

import io.kvern.bench.report.LaneRow;
import io.kvern.bench.report.Ratio;
import io.kvern.bench.report.Side;
import io.kvern.bench.site.Meter;
import io.kvern.bench.site.Profiler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Runs contenders in turns, forwards and back, so that what the machine does meanwhile strikes all alike. */
public final class Rounds {
    private final int rounds;
    private final Duration warmUp;
    private final Optional<Profiler> profiler;

    /**
     * @param rounds that count
     * @param warmUp how long to run before they do, at least one round
     * @param profiler takes flame graphs of ours in a round behind them
     */
    public Rounds(int rounds, Duration warmUp, Optional<Profiler> profiler) {
        this.rounds = rounds;
        this.warmUp = warmUp;
        this.profiler = profiler;
    }

    private static final class Tally {
        private final List<Double> gigabytesPerSecond = new ArrayList<>();
        private double cpuSeconds;
        private double allocatedBytes;
        private double bytes;
        private double blocks;

        void run(Contender contender, int round) throws Exception {
            Meter meter = Meter.start(contender.processes());
            Contender.Moved moved = contender.run(round);
            cpuSeconds += meter.cpuSeconds();
            allocatedBytes += meter.allocatedBytes();
            bytes += moved.bytes();
            blocks += moved.blocks();
            gigabytesPerSecond.add((double) moved.bytes() / moved.nanos());
        }

        Side side(Contender contender) {
            return new Side(
                    contender.name(),
                    contender.what(),
                    List.copyOf(gigabytesPerSecond),
                    median(gigabytesPerSecond),
                    cpuSeconds / (bytes / 1e9),
                    allocatedBytes / blocks,
                    contender.copiesPerByte());
        }
    }

    /**
     * Measures a row. Each contender runs before it counts, until the JVMs have had some time to compile what they run.
     *
     * @param contenders ours, the limit, then peers
     */
    LaneRow measure(String lane, String title, long blockBytes, long blocks, double budget, List<Contender> contenders)
            throws Exception {
        List<Tally> tallies = contenders.stream().map(contender -> new Tally()).toList();
        int round = 0;
        long warm = System.nanoTime() + warmUp.toNanos();
        do {
            for (Contender contender : contenders) {
                contender.run(round);
            }
            round++;
        } while (warm - System.nanoTime() > 0);
        int last = round + rounds;
        for (; round < last; round++) {
            for (int i = 0; i < contenders.size(); i++) {
                int turn = round % 2 == 0 ? contenders.size() - 1 - i : i;
                tallies.get(turn).run(contenders.get(turn), round);
            }
        }
        if (profiler.isPresent()) {
            Contender ours = contenders.getFirst();
            profiler.get().profile("%s, %d bytes".formatted(title, blockBytes), ours.processes(), () -> ours.run(last));
        }
        List<Side> sides = IntStream.range(0, contenders.size())
                .mapToObj(i -> tallies.get(i).side(contenders.get(i)))
                .toList();
        return new LaneRow(
                lane,
                title,
                blockBytes,
                blocks,
                sides.get(0),
                sides.get(1),
                sides.subList(2, sides.size()),
                ratio(sides.get(0).gigabytesPerSecond(), sides.get(1).gigabytesPerSecond()),
                budget);
    }

    /** By rounds: what stood beside each other in time is compared with each other. */
    static Ratio ratio(List<Double> ours, List<Double> limit) {
        List<Double> ratios = IntStream.range(0, ours.size())
                .mapToObj(i -> ours.get(i) / limit.get(i))
                .sorted()
                .toList();
        return new Ratio(median(ratios), ratios.getFirst(), ratios.getLast());
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
