package io.kvern.worker.load;

import io.kvern.model.InvalidInputException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;

/** Checks destinations before a byte moves: two blocks in one place would each look loaded, and one of them be wrong. */
public final class Destinations {
    /** Any thread but the caller's, as lanes are. */
    private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

    /** A run of memory; {@code array} numbers heap arrays, and is 0 for native memory. */
    private record Span(int array, long from, long to, int request) {}

    private Destinations() {}

    /**
     * Checks all of one load.
     *
     * @throws InvalidInputException where one is read-only, bound to one thread, freed, or overlaps another
     */
    public static void check(List<LoadRequest> requests) {
        List<Span> spans = new ArrayList<>(requests.size());
        IdentityHashMap<Object, Integer> arrays = new IdentityHashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            ByteBuffer destination = requests.get(i).destination();
            if (destination.isReadOnly()) {
                throw new InvalidInputException("destination %d of %d is read-only".formatted(i, requests.size()));
            }
            MemorySegment memory = MemorySegment.ofBuffer(destination);
            if (!memory.scope().isAlive() || !memory.isAccessibleBy(ANOTHER)) {
                throw new InvalidInputException(
                        "destination %d of %d is memory that was freed, or that only its own thread may write"
                                .formatted(i, requests.size()));
            }
            int array = memory.heapBase()
                    .map(base -> arrays.computeIfAbsent(base, first -> arrays.size() + 1))
                    .orElse(0);
            if (memory.byteSize() > 0) {
                spans.add(new Span(array, memory.address(), memory.address() + memory.byteSize(), i));
            }
        }
        spans.sort(Comparator.comparingInt(Span::array).thenComparingLong(Span::from));
        for (int i = 1; i < spans.size(); i++) {
            // Neighbours in this order tell: the first overlap that there is, is one between neighbours.
            Span before = spans.get(i - 1);
            Span span = spans.get(i);
            if (before.array() == span.array() && before.to() > span.from()) {
                throw new InvalidInputException("destinations %d and %d of %d overlap"
                        .formatted(
                                Math.min(before.request(), span.request()),
                                Math.max(before.request(), span.request()),
                                requests.size()));
            }
        }
    }
}
