package io.kvern.worker.load;

import io.kvern.model.Slot;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Which endpoint answered last for a range of slots. Partitions are runs of slots, so what holds for one slot holds for its
 * neighbours; where it does not, the wrong endpoint says so and another is asked. Only ever a hint. Safe in any thread.
 */
final class SlotMap {
    private static final int RANGE_SLOTS = 64;

    /** Endpoint + 1, 0 for unknown. */
    private final AtomicIntegerArray endpoints = new AtomicIntegerArray(Slot.COUNT / RANGE_SLOTS);

    private final int count;

    SlotMap(int count) {
        this.count = count;
    }

    /** Whom to ask first about {@code slot}: 0 to count - 1. */
    int first(int slot) {
        int range = slot / RANGE_SLOTS;
        int known = endpoints.get(range);
        return known > 0 ? known - 1 : range % count;
    }

    void answered(int slot, int endpoint) {
        int range = slot / RANGE_SLOTS;
        if (endpoints.getPlain(range) != endpoint + 1) {
            endpoints.set(range, endpoint + 1);
        }
    }

    void wasUnsure(int slot, int endpoint) {
        endpoints.compareAndSet(slot / RANGE_SLOTS, endpoint + 1, 0);
    }
}
