package io.kvern.streams.doors;

import io.kvern.ingest.PublishOutcome;
import io.kvern.model.BlockKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * {@code DEL id [id …]}: publishes the removal of each block that is stored, and answers how many those were when this node
 * has applied all of it.
 */
final class DelCommand implements Command {
    private final KeySurvey survey;
    private final LogWriter log;
    private final LogWait wait;

    DelCommand(KeySurvey survey, LogWriter log, LogWait wait) {
        this.survey = survey;
        this.log = log;
        this.wait = wait;
    }

    @Override
    public void run(Call call) throws InterruptedException {
        KeySurvey.Result found = survey.of(call);
        if (found.unsure()) {
            call.reply().error("TRYAGAIN " + found.why());
            return;
        }
        Set<BlockKey> stored = new LinkedHashSet<>();
        for (int i = 0; i < found.keys().size(); i++) {
            if (found.stored().get(i)) {
                stored.add(found.keys().get(i));
            }
        }
        Deadline deadline = wait.deadline();
        List<CompletableFuture<PublishOutcome>> removals =
                stored.stream().map(log::remove).toList();
        int removed = 0;
        String firstError = null;
        for (CompletableFuture<PublishOutcome> removal : removals) {
            String error = wait.settle(removal, deadline);
            if (error == null) {
                removed++;
            } else if (firstError == null) {
                firstError = error;
            }
        }
        if (firstError == null) {
            call.reply().integer(removed);
        } else {
            call.reply().error("%s; %d of %d are removed".formatted(firstError, removed, removals.size()));
        }
    }
}
