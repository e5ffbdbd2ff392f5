package io.kvern.bench.replay;

import io.kvern.model.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Conversations of many turns, interleaved in time. All begin with one system prompt; each prompt is all that was said before
 * and a new message. The same settings give the same trace everywhere. Memory grows with the number of conversations.
 */
final class TraceGenerator implements Trace {
    /**
     * How much is said.
     *
     * @param conversations 1 to 1,000,000
     * @param turns of each conversation, 1 to 1000
     * @param systemTokens of the prompt that all share, 0 to 1,000,000
     * @param messageTokens mean length of messages, 1 to 100,000; each is from half to one and a half of it
     * @param answerTokens mean length of answers, likewise
     * @param gapMillis mean time between two conversations' beginnings, 1 to an hour; turns of one are 20 s apart on average
     */
    record Settings(
            int conversations,
            int turns,
            int systemTokens,
            int messageTokens,
            int answerTokens,
            int gapMillis,
            long seed) {
        Settings {
            require("conversations", conversations, 1, 1_000_000);
            require("turns", turns, 1, 1000);
            require("system tokens", systemTokens, 0, 1_000_000);
            require("message tokens", messageTokens, 1, 100_000);
            require("answer tokens", answerTokens, 1, 100_000);
            require("milliseconds between conversations", gapMillis, 1, 3_600_000);
        }

        private static void require(String what, int value, int least, int most) {
            if (value < least || value > most) {
                throw new InvalidInputException(
                        "generated trace: %s is %d; %d to %d are allowed".formatted(what, value, least, most));
            }
        }
    }

    private static final int TURN_GAP_MILLIS = 20_000;

    private final Settings settings;

    TraceGenerator(Settings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return "generated, %d conversations of %d turns, seed %d"
                .formatted(settings.conversations, settings.turns, settings.seed);
    }

    @Override
    public Cursor open() {
        return new Talk();
    }

    /** What was said so far by one user and the assistant. */
    private static final class Conversation {
        final int number;
        final List<Long> wholeBlocks;
        long tokens;
        int turns;
        long nextMillis;

        Conversation(int number, List<Long> shared, long tokens, long nextMillis) {
            this.number = number;
            this.wholeBlocks = new ArrayList<>(shared);
            this.tokens = tokens;
            this.nextMillis = nextMillis;
        }
    }

    /** Ids are given out in the order of the trace: an id is new, or stands for what was said up to there before. */
    private final class Talk implements Cursor {
        private final Random random = new Random(settings.seed);
        private final PriorityQueue<Conversation> waiting = new PriorityQueue<>((a, b) -> a.nextMillis == b.nextMillis
                ? Integer.compare(a.number, b.number)
                : Long.compare(a.nextMillis, b.nextMillis));
        private long nextId;

        Talk() {
            List<Long> system = new ArrayList<>();
            for (int i = 0; i < settings.systemTokens / TraceRequest.TOKENS_PER_BLOCK; i++) {
                system.add(nextId++);
            }
            long begin = 0;
            for (int i = 0; i < settings.conversations; i++) {
                waiting.add(new Conversation(i, system, settings.systemTokens, begin));
                begin += around(settings.gapMillis);
            }
        }

        /** From half to one and a half of it, at least 1. */
        private int around(int mean) {
            return Math.max(1, mean / 2 + random.nextInt(mean + 1));
        }

        @Override
        public @Nullable TraceRequest next() {
            Conversation talk = waiting.poll();
            if (talk == null) {
                return null;
            }
            talk.tokens += around(settings.messageTokens);
            long whole = talk.tokens / TraceRequest.TOKENS_PER_BLOCK;
            while (talk.wholeBlocks.size() < whole) {
                talk.wholeBlocks.add(nextId++);
            }
            List<Long> ids = new ArrayList<>(talk.wholeBlocks);
            if (talk.tokens % TraceRequest.TOKENS_PER_BLOCK != 0) {
                // What the block will hold when it is full is not known yet: this one does not come again.
                ids.add(nextId++);
            }
            int answer = around(settings.answerTokens);
            TraceRequest request = new TraceRequest(talk.nextMillis, talk.tokens, answer, ids);
            talk.tokens += answer;
            talk.nextMillis += around(TURN_GAP_MILLIS);
            if (++talk.turns < settings.turns) {
                waiting.add(talk);
            }
            return request;
        }

        @Override
        public void close() {
            waiting.clear();
        }
    }
}
