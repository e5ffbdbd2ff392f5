package io.kvern.resp.server;

import java.util.concurrent.atomic.LongAdder;

/** What {@link RespServerStats} adds up. Any thread. */
final class Counters {
    final LongAdder accepted = new LongAdder();
    final LongAdder rejected = new LongAdder();
    final LongAdder commands = new LongAdder();
    final LongAdder errors = new LongAdder();
    final LongAdder protocolErrors = new LongAdder();
    final LongAdder timeouts = new LongAdder();
    final LongAdder bytesIn = new LongAdder();
    final LongAdder bytesOut = new LongAdder();
}
