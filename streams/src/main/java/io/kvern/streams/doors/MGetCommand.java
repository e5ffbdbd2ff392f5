package io.kvern.streams.doors;

import io.kvern.model.BlockKey;

/**
 * {@code MGET id [id …]}: each block or nil. One unsure id makes the whole reply {@code TRYAGAIN}: a client that skips over
 * an odd element must not take it for a miss. What goes wrong after the first element is out becomes an error in its place.
 */
final class MGetCommand implements Command {
    private final KeySurvey survey;
    private final BlockLookup lookup;
    private final BlockFetch fetch;

    MGetCommand(KeySurvey survey, BlockLookup lookup, BlockFetch fetch) {
        this.survey = survey;
        this.lookup = lookup;
        this.fetch = fetch;
    }

    @Override
    public void run(Call call) throws InterruptedException {
        KeySurvey.Result found = survey.of(call);
        if (found.unsure()) {
            call.reply().error("TRYAGAIN " + found.why());
            return;
        }
        Deadline deadline = lookup.deadline();
        call.reply().array(found.keys().size());
        for (BlockKey key : found.keys()) {
            fetch.answer(key, deadline, call.reply());
        }
    }
}
