package io.kvern.worker.load;

import io.kvern.model.InvalidInputException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Checks destinations before a byte moves: two blocks in one place would each look loaded, and one of them be wrong. */
final class Destinations {
    /** Any thread but the caller's, as lanes are. */
    private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

    /** A run of memory; {@code base} tells heap arrays apart, and is 0 for native memory. */
    private record Span(int base, long from, long to, int request) {}

    private Destinations() {}

    static void check(List<LoadRequest> requests) {
        List<Span> spans = new ArrayList<>(requests.size());
        for (int i = 0; i < requests.size(); i++) {
            ByteBuffer destination = requests.get(i).destination();
            if (destination.isReadOnly()) {
                throw new InvalidInputException("destination %d of %d is read-only".formatted(i, requests.size()));
            }
            MemorySegment segment = MemorySegment.ofBuffer(destination);
            if (!segment.scope().isAlive() || !segment.isAccessibleBy(ANOTHER)) {
                throw new InvalidInputException(
                        "destination %d of %d is memory that was freed, or that only its own thread may write"
                                .formatted(i, requests.size()));
            }
            int base = segment.heapBase().map(System::identityHashCode).orElse(0);
            if (segment.byteSize() > 0) {
                spans.add(new Span(base, segment.address(), segment.address() + segment.byteSize(), i));
            }
        }
        spans.sort(Comparator.comparingInt(Span::base).thenComparingLong(Span::from));
        for (int i = 1; i < spans.size(); i++) {
            Span before = spans.get(i - 1);
            Span span = spans.get(i);
            if (before.base() == span.base() && before.to() > span.from() && sameMemory(requests, before, span)) {
                throw new InvalidInputException("destinations %d and %d of %d overlap"
                        .formatted(
                                Math.min(before.request(), span.request()),
                                Math.max(before.request(), span.request()),
                                requests.size()));
            }
        }
    }

    /** Two arrays may share an identity hash. */
    private static boolean sameMemory(List<LoadRequest> requests, Span one, Span other) {
        return MemorySegment.ofBuffer(requests.get(one.request()).destination())
                .asOverlappingSlice(
                        MemorySegment.ofBuffer(requests.get(other.request()).destination()))
                .isPresent();
    }
}
