package io.kvern.streams.doors;

/** {@code EXISTS id [id …]}: how many of the ids are stored; one given twice counts twice, as in Redis. */
final class ExistsCommand implements Command {
    private final KeySurvey survey;
    private final DoorCounters counters;

    ExistsCommand(KeySurvey survey, DoorCounters counters) {
        this.survey = survey;
        this.counters = counters;
    }

    @Override
    public void run(Call call) throws InterruptedException {
        KeySurvey.Result found = survey.of(call);
        if (found.unsure()) {
            call.reply().error("TRYAGAIN " + found.why());
            return;
        }
        counters.hits.add(found.count());
        counters.misses.add(found.keys().size() - found.count());
        call.reply().integer(found.count());
    }
}
