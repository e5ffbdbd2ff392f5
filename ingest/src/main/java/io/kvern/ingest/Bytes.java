package io.kvern.ingest;

import java.util.Locale;

/** Numbers of bytes for people. */
final class Bytes {
    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB"};

    private Bytes() {}

    /** "512 bytes", "1.0 MiB". */
    static String text(long bytes) {
        if (bytes < 1024) {
            return bytes + " bytes";
        }
        double value = bytes;
        int unit = -1;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
    }
}
