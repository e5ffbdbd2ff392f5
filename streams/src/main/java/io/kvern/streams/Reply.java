package io.kvern.streams;

/**
 * A record on its way to the replies topic.
 *
 * @param partition that the requester named, known to exist
 * @param event encoded; whoever gets it owns the array
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Reply(int partition, byte[] event) {}
