package io.kvern.worker.load;

import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Chooses whom to ask. Safe in any thread. */
final class Router {
    private final List<Endpoint> endpoints;
    private final SlotMap slots;

    Router(List<Endpoint> endpoints) {
        this.endpoints = endpoints;
        this.slots = new SlotMap(endpoints.size());
    }

    /**
     * The likeliest endpoint for {@code slot} that is up.
     *
     * @param asked indexes of those that are out of question
     * @return null where none is left
     */
    @Nullable
    Endpoint choose(int slot, BitSet asked) {
        int first = slots.first(slot);
        for (int i = 0; i < endpoints.size(); i++) {
            Endpoint endpoint = endpoints.get((first + i) % endpoints.size());
            if (!asked.get(endpoint.index()) && endpoint.whyDown() == null) {
                return endpoint;
            }
        }
        return null;
    }

    void answered(int slot, Endpoint endpoint) {
        slots.answered(slot, endpoint.index());
    }

    void wasUnsure(int slot, Endpoint endpoint) {
        slots.wasUnsure(slot, endpoint.index());
    }

    /** For every endpoint that is down, why; empty where all are up. */
    String whyDown() {
        StringJoiner reasons = new StringJoiner("; ");
        for (Endpoint endpoint : endpoints) {
            String why = endpoint.whyDown();
            if (why != null) {
                reasons.add(why);
            }
        }
        return reasons.toString();
    }

    /** When the first of those that are left alone may be asked again, in {@link System#nanoTime()}; empty for never. */
    OptionalLong upAgainAt() {
        return endpoints.stream()
                .filter(endpoint -> !endpoint.isClosed())
                .mapToLong(endpoint -> endpoint.health().restsUntil())
                .reduce((one, other) -> one - other < 0 ? one : other);
    }

    int count() {
        return endpoints.size();
    }

    /** Somebody stopped waiting: queued exchanges that nobody wants go, and lanes look at those under way. */
    void abandonmentHappened() {
        endpoints.forEach(Endpoint::abandonmentHappened);
    }
}
