package io.kvern.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.jspecify.annotations.Nullable;

/**
 * Every schema that an event may have been written with. A version is added, never edited: its file stays as it is, since
 * the fingerprint of its canonical form stands in every event of that version.
 */
enum EventSchema {
    BLOCK_CHUNK_V1("BlockChunk.v1.avsc"),
    CLUSTER_LAYOUT_V1("ClusterLayout.v1.avsc"),
    LOAD_REQUEST_V1("LoadRequest.v1.avsc"),
    LOADED_CHUNK_V1("LoadedChunk.v1.avsc"),
    LOAD_STATUS_V1("LoadStatus.v1.avsc");

    private static final EventSchema[] KNOWN = values();

    private final String eventName;
    private final String json;
    private final long fingerprint;

    EventSchema(String file) {
        this.eventName = file.substring(0, file.indexOf('.'));
        this.json = read("/io/kvern/event/" + file);
        this.fingerprint = SchemaNormalization.parsingFingerprint64(schema());
    }

    private static String read(String resource) {
        try (InputStream text = EventSchema.class.getResourceAsStream(resource)) {
            if (text == null) {
                throw new IllegalStateException("schema " + resource + " is not on the class path");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Such as {@code BlockChunk}. */
    String eventName() {
        return eventName;
    }

    /** Parsed anew at each call: Avro's schema objects can be changed. */
    Schema schema() {
        return new Schema.Parser().parse(json);
    }

    /** CRC-64-AVRO of the schema's canonical form: the Avro specification, "Schema fingerprints". */
    long fingerprint() {
        return fingerprint;
    }

    static @Nullable EventSchema find(long fingerprint) {
        for (EventSchema known : KNOWN) {
            if (known.fingerprint == fingerprint) {
                return known;
            }
        }
        return null;
    }
}
