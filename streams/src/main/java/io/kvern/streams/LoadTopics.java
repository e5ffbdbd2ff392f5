package io.kvern.streams;

/**
 * The topics of the log lane.
 *
 * @param loads requests come from here; it has as many partitions as the blocks topic
 * @param replies what they ask for goes there
 * @param replyPartitions how many the replies topic has; a request that names another is dropped
 */
public record LoadTopics(String loads, String replies, int replyPartitions) {}
