package io.kvern.bench.replay;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests in their order; can be gone through more than once, and is the same each time. */
interface Trace {
    /** What it is, for a person. */
    String name();

    /**
     * Begins at its first request.
     *
     * @throws io.kvern.model.InvalidInputException if it cannot be read
     */
    Cursor open();

    /** A way through a trace, for one thread. */
    interface Cursor extends AutoCloseable {
        /**
         * The next request, or null behind the last one.
         *
         * @throws io.kvern.model.InvalidInputException if what stands there is no request
         */
        @Nullable
        TraceRequest next();

        @Override
        void close();
    }

    /** The first {@code most} requests of this trace. */
    default Trace limitedTo(long most) {
        return new LimitedTrace(this, most);
    }

    /** All requests; for small traces. */
    default List<TraceRequest> requests() {
        List<TraceRequest> all = new ArrayList<>();
        try (Cursor cursor = open()) {
            for (TraceRequest next = cursor.next(); next != null; next = cursor.next()) {
                all.add(next);
            }
        }
        return all;
    }
}
