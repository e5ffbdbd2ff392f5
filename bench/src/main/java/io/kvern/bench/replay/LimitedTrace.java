package io.kvern.bench.replay;

import org.jspecify.annotations.Nullable;

/** The beginning of another trace. */
record LimitedTrace(Trace whole, long most) implements Trace {
    @Override
    public String name() {
        return whole.name();
    }

    @Override
    public Cursor open() {
        Cursor cursor = whole.open();
        return new Cursor() {
            private long given;

            @Override
            public @Nullable TraceRequest next() {
                return given++ < most ? cursor.next() : null;
            }

            @Override
            public void close() {
                cursor.close();
            }
        };
    }
}
