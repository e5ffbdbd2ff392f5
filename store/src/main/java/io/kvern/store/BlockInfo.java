package io.kvern.store;

import io.kvern.model.Component;
import io.kvern.model.WriteMode;
import java.util.List;

/**
 * What a store knows of a block without touching its bytes.
 *
 * @param length in bytes
 * @param crc CRC-32C of the whole block, as its source computed it
 * @param mode how it was written: an {@code IF_ABSENT} block can never be stale
 * @param epoch generation of its namespace
 * @param logOffset Kafka offset of its first chunk, which is its place in log order
 * @param components its tensors in order, empty where it has no table
 */
public record BlockInfo(int length, int crc, WriteMode mode, long epoch, long logOffset, List<Component> components) {}
