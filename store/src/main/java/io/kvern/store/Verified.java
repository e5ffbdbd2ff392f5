package io.kvern.store;

import io.kvern.store.segment.BlockLocation;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which blocks this process has written or verified itself: those need not be read again before a duplicate is believed.
 * Bounded; what is forgotten is verified once more.
 */
final class Verified {
    private static final int REMEMBERED = 1 << 17;

    private record Place(long segment, long place) {}

    private final long firstOwnSegment;
    private final Set<Place> places = ConcurrentHashMap.newKeySet();

    /** @param firstOwnSegment segments from this id on were written by this process */
    Verified(long firstOwnSegment) {
        this.firstOwnSegment = firstOwnSegment;
    }

    boolean contains(BlockLocation location) {
        return location.segment() >= firstOwnSegment
                || places.contains(new Place(location.segment(), location.place()));
    }

    void add(BlockLocation location) {
        if (location.segment() < firstOwnSegment) {
            if (places.size() >= REMEMBERED) {
                places.clear();
            }
            places.add(new Place(location.segment(), location.place()));
        }
    }
}
