package io.kvern.app.demo;

import io.kvern.app.demo.engine.RequestStats;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Adds up what requests cost. Belongs to one thread. */
public final class ServeStats {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Times to the first token in nanoseconds, up to an hour, exact to three digits. */
    private final Histogram firstToken = new Histogram(1, TimeUnit.HOURS.toNanos(1), 3);

    private long requests;
    private long promptTokens;
    private long cachedTokens;
    private long loadedTokens;
    private long answerTokens;
    private long loadedBytes;
    private long loadNanos;
    private long prefillNanos;
    private long totalNanos;

    public void add(RequestStats request) {
        requests++;
        promptTokens += request.promptTokens();
        cachedTokens += request.cachedTokens();
        loadedTokens += request.loadedTokens();
        answerTokens += request.answerTokens();
        loadedBytes += request.loadedBytes();
        loadNanos += request.loadNanos();
        prefillNanos += request.firstTokenNanos() - request.loadNanos();
        totalNanos += request.totalNanos();
        firstToken.recordValue(Math.clamp(request.firstTokenNanos(), 1, firstToken.getHighestTrackableValue()));
    }

    public void add(ServeStats other) {
        requests += other.requests;
        promptTokens += other.promptTokens;
        cachedTokens += other.cachedTokens;
        loadedTokens += other.loadedTokens;
        answerTokens += other.answerTokens;
        loadedBytes += other.loadedBytes;
        loadNanos += other.loadNanos;
        prefillNanos += other.prefillNanos;
        totalNanos += other.totalNanos;
        firstToken.add(other.firstToken);
    }

    public long requests() {
        return requests;
    }

    public long promptTokens() {
        return promptTokens;
    }

    /** Prompt tokens found in the worker's own pool. */
    public long cachedTokens() {
        return cachedTokens;
    }

    /** Prompt tokens whose blocks came from the tier. */
    public long loadedTokens() {
        return loadedTokens;
    }

    /** Prompt tokens that were computed. */
    public long prefilledTokens() {
        return promptTokens - cachedTokens - loadedTokens;
    }

    public long answerTokens() {
        return answerTokens;
    }

    public long loadedBytes() {
        return loadedBytes;
    }

    /** Time spent asking the tier, misses included. */
    public long loadNanos() {
        return loadNanos;
    }

    /** Share of prompt tokens that were not computed, 0 to 1. */
    public double reusedShare() {
        return promptTokens == 0 ? 0 : (double) (cachedTokens + loadedTokens) / promptTokens;
    }

    /** 0 where nothing was loaded. */
    public double loadedTokensPerSecond() {
        return perSecond(loadedTokens, loadNanos);
    }

    public double loadedBytesPerSecond() {
        return perSecond(loadedBytes, loadNanos);
    }

    public double prefilledTokensPerSecond() {
        return perSecond(prefilledTokens(), prefillNanos);
    }

    /** The first token of each answer belongs to the prefill, and is not counted. */
    public double decodedTokensPerSecond() {
        return perSecond(answerTokens - requests, totalNanos - loadNanos - prefillNanos);
    }

    /**
     * Time to the first token that this share of requests did not exceed.
     *
     * @param percentile 0 to 100
     * @return nanoseconds, 0 where there was no request
     */
    public long firstTokenNanos(double percentile) {
        return firstToken.getValueAtPercentile(percentile);
    }

    private static double perSecond(long count, long nanos) {
        return nanos <= 0 ? 0 : count * NANOS_PER_SECOND / nanos;
    }
}
