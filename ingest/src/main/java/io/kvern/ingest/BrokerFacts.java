package io.kvern.ingest;

import java.util.Map;
import java.util.OptionalLong;

/**
 * A broker as it describes itself.
 *
 * @param settings by name; empty where it does not say
 * @param diskBytes size of its log directories' file systems
 * @param freeBytes what is free on them
 * @param blocksBytes what the blocks topic takes there now
 */
record BrokerFacts(
        int id, Map<String, String> settings, OptionalLong diskBytes, OptionalLong freeBytes, long blocksBytes) {

    long number(String name, long otherwise) {
        try {
            return Long.parseLong(settings.getOrDefault(name, Long.toString(otherwise)));
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
