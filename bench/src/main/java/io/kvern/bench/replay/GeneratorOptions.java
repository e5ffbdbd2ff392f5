package io.kvern.bench.replay;

import picocli.CommandLine.Option;

/** How a trace is generated, from the command line. */
final class GeneratorOptions {
    @Option(
            names = "--conversations",
            paramLabel = "N",
            defaultValue = "300",
            description = "Generated: conversations (default: ${DEFAULT-VALUE}).")
    private int conversations;

    @Option(
            names = "--turns",
            paramLabel = "N",
            defaultValue = "6",
            description = "Generated: turns of each conversation (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(
            names = "--system-tokens",
            paramLabel = "N",
            defaultValue = "2048",
            description = "Generated: tokens of the system prompt that all share (default: ${DEFAULT-VALUE}).")
    private int systemTokens;

    @Option(
            names = "--message-tokens",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Generated: mean tokens of a message (default: ${DEFAULT-VALUE}).")
    private int messageTokens;

    @Option(
            names = "--answer-tokens",
            paramLabel = "N",
            defaultValue = "512",
            description = "Generated: mean tokens of an answer (default: ${DEFAULT-VALUE}).")
    private int answerTokens;

    @Option(
            names = "--gap",
            paramLabel = "MS",
            defaultValue = "1000",
            description = "Generated: mean time between conversations' beginnings (default: ${DEFAULT-VALUE}).")
    private int gapMillis;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Generated: the same seed is the same trace (default: ${DEFAULT-VALUE}).")
    private long seed;

    /** @throws io.kvern.model.InvalidInputException naming what is impossible */
    TraceGenerator generator() {
        return new TraceGenerator(new TraceGenerator.Settings(
                conversations, turns, systemTokens, messageTokens, answerTokens, gapMillis, seed));
    }
}
