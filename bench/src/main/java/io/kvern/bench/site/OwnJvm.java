package io.kvern.bench.site;

/** The process that measures, which is the worker of every lane. */
public final class OwnJvm {
    public static final Metered METER = JvmMeter.own();

    private OwnJvm() {}
}
