package io.kvern.store.segment;

import java.io.IOException;
import java.nio.file.Path;

/** The seam to the file system: everything that the store does to segment files goes through here. */
public interface SegmentFiles {
    /** Makes a new file; fails where one of that name exists. */
    SegmentFile create(Path path) throws IOException;

    /** Opens an existing file for reading. */
    SegmentFile open(Path path) throws IOException;

    void delete(Path path) throws IOException;

    /** Makes creations and deletions in a directory durable. */
    void forceDirectory(Path directory) throws IOException;

    /** Bytes that the file system has left for us. */
    long usableBytes(Path directory) throws IOException;
}
