package io.kvern.bench.report;

/**
 * Where the run took place.
 *
 * @param cpu model of the processor, as the system names it
 * @param cores that the JVM may use
 * @param memoryBytes of the machine
 * @param disk file system of the data directory
 */
public record Machine(String os, String cpu, int cores, long memoryBytes, String disk, String jvm) {}
