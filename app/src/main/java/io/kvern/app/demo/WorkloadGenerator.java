package io.kvern.app.demo;

import io.kvern.model.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Conversations of several users with one assistant: all begin with the same system prompt, each user brings a document,
 * users take turns in an order of their own in each round, and each prompt repeats all that was said before. So prefixes are shared between users, and
 * each is wanted again after others have pushed it out of the pool. The same seed gives the same tokens everywhere.
 */
public final class WorkloadGenerator {
    /**
     * How much is said.
     *
     * @param users conversations, at least 1
     * @param systemTokens tokens of the shared system prompt, at least 1
     * @param documentTokens tokens of the document that each user's first message brings along, 0 or more
     * @param leastMessage shortest message of a user in tokens, at least 1
     * @param mostMessage longest message in tokens
     * @param answerTokens tokens of each answer, at least 1
     */
    public record Settings(
            int users, int systemTokens, int documentTokens, int leastMessage, int mostMessage, int answerTokens) {
        public Settings {
            if (users < 1
                    || systemTokens < 1
                    || documentTokens < 0
                    || leastMessage < 1
                    || mostMessage < leastMessage
                    || answerTokens < 1) {
                throw new InvalidInputException(
                        "workload: %d users, %d system tokens, documents of %d, messages of %d to %d and answers of %d tokens: documents may have 0, all else at least 1"
                                .formatted(
                                        users, systemTokens, documentTokens, leastMessage, mostMessage, answerTokens));
            }
        }

        /** Most tokens of a conversation after so many rounds. */
        int longestConversation(int rounds) {
            return systemTokens + documentTokens + rounds * (mostMessage + answerTokens);
        }
    }

    /** One user's turn: the prompt is the whole conversation so far, with the user's new message at its end. */
    public static final class Turn {
        private final int user;
        private final int[] prompt;

        Turn(int user, int[] prompt) {
            this.user = user;
            this.prompt = prompt;
        }

        public int user() {
            return user;
        }

        int[] prompt() {
            return prompt;
        }
    }

    private final Settings settings;
    private final int vocabulary;
    private final Random random;
    private final List<int[]> conversations = new ArrayList<>();

    public WorkloadGenerator(Settings settings, int vocabulary, long seed) {
        this.settings = settings;
        this.vocabulary = vocabulary;
        this.random = new Random(seed);
        int[] system = message(settings.systemTokens());
        for (int user = 0; user < settings.users(); user++) {
            conversations.add(system);
            append(user, message(settings.documentTokens()));
        }
    }

    /** Lets every user say something, and returns their turns in the order in which they come. */
    public List<Turn> nextRound() {
        List<Turn> round = new ArrayList<>();
        for (int user = 0; user < settings.users(); user++) {
            int length = settings.leastMessage() + random.nextInt(settings.mostMessage() - settings.leastMessage() + 1);
            append(user, message(length));
            round.add(new Turn(user, conversations.get(user)));
        }
        Collections.shuffle(round, random);
        return round;
    }

    /** Adds the assistant's answer to the conversation. */
    public void answered(Turn turn, int[] answer) {
        append(turn.user(), answer);
    }

    private void append(int user, int[] more) {
        int[] before = conversations.get(user);
        int[] after = Arrays.copyOf(before, before.length + more.length);
        System.arraycopy(more, 0, after, before.length, more.length);
        conversations.set(user, after);
    }

    private int[] message(int length) {
        return random.ints(length, 0, vocabulary).toArray();
    }
}
