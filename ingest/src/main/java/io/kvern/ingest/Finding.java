package io.kvern.ingest;

/**
 * A setting that does not fit the others.
 *
 * @param severity whether blocks can get lost or stuck, or things are merely slower or smaller than asked for
 * @param where it is set: "topic kvern.blocks", "broker 1", "producer", "consumer"
 * @param setting Kafka's name of it
 * @param value what it is
 * @param needed what it would have to be, and why
 */
public record Finding(Severity severity, String where, String setting, String value, String needed) {
    /** ERROR comes first in a list. */
    public enum Severity {
        /** Does not work: blocks are refused, lost or stuck. */
        ERROR,
        /** Works, but slower, smaller or less safe than asked for. */
        WARN
    }

    @Override
    public String toString() {
        return "%s: %s: %s is %s; %s".formatted(severity, where, setting, value, needed);
    }
}
