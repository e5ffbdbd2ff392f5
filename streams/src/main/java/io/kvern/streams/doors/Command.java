package io.kvern.streams.doors;

/** Answers one kind of command; the table has checked the number of its arguments. Any thread. */
interface Command {
    /** Gives {@code call.reply()} exactly one value. */
    void run(Call call) throws Exception;
}
