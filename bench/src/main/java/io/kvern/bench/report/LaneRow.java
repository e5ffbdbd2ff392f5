package io.kvern.bench.report;

import java.util.List;

/**
 * A lane at one block size.
 *
 * @param lane short name, as {@code --only} takes it
 * @param title for a heading
 * @param blockBytes payload of a block
 * @param blocks moved in one round by each side
 * @param ours what Kvern does
 * @param limit the bare limit, with CRC where ours has it
 * @param peers others on the same work; may be empty
 * @param budget what the design asks of the ratio; 0 where it asks nothing
 */
public record LaneRow(
        String lane,
        String title,
        long blockBytes,
        long blocks,
        Side ours,
        Side limit,
        List<Side> peers,
        Ratio ratio,
        double budget) {
    /** Whether the median ratio is what the budget asks, or nothing is asked. */
    boolean withinBudget() {
        return ratio.median() >= budget;
    }
}
