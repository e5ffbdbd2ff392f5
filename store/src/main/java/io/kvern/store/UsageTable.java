package io.kvern.store;

import io.kvern.model.Fingerprint;
import io.kvern.store.index.BlockIndex.UsageTotals;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Blocks and bytes of each namespace, exact. Changed together with the entries they count. */
final class UsageTable {
    private static final class Totals {
        final LongAdder blocks = new LongAdder();
        final LongAdder bytes = new LongAdder();

        UsageTotals snapshot() {
            return new UsageTotals(blocks.sum(), bytes.sum());
        }
    }

    private final Map<Fingerprint, Totals> namespaces = new ConcurrentHashMap<>();
    private final Set<Fingerprint> changed = ConcurrentHashMap.newKeySet();

    void add(Fingerprint namespace, long blocks, long bytes) {
        Totals totals = namespaces.computeIfAbsent(namespace, key -> new Totals());
        totals.blocks.add(blocks);
        totals.bytes.add(bytes);
        changed.add(namespace);
    }

    UsageTotals of(Fingerprint namespace) {
        Totals totals = namespaces.get(namespace);
        return totals == null ? new UsageTotals(0, 0) : totals.snapshot();
    }

    UsageTotals all() {
        long blocks = 0;
        long bytes = 0;
        for (Totals totals : namespaces.values()) {
            blocks += totals.blocks.sum();
            bytes += totals.bytes.sum();
        }
        return new UsageTotals(blocks, bytes);
    }

    /** What changed since the last call. Only while changes are excluded. */
    Map<Fingerprint, UsageTotals> takeChanged() {
        Map<Fingerprint, UsageTotals> taken = new ConcurrentHashMap<>();
        for (Fingerprint namespace : changed) {
            taken.put(namespace, of(namespace));
        }
        changed.clear();
        return taken;
    }

    /** Begins anew from what is persisted. Only while changes are excluded. */
    void reset(Map<Fingerprint, UsageTotals> persisted) {
        namespaces.clear();
        changed.clear();
        persisted.forEach((namespace, totals) -> add(namespace, totals.blocks(), totals.bytes()));
        changed.clear();
    }
}
