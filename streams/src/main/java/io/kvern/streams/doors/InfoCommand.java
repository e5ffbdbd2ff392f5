package io.kvern.streams.doors;

import io.kvern.resp.server.RespServer;
import io.kvern.resp.server.RespServerStats;
import io.kvern.store.StoreStats;
import io.kvern.streams.NodeView;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** {@code INFO [section …]}: {@code key:value} lines in the sections server, door, node and store. */
final class InfoCommand implements Command {
    private final String version;
    private final long startNanos = System.nanoTime();
    private final NodeView node;
    private final DoorCounters counters;
    private final Supplier<RespServer> server;

    InfoCommand(String version, NodeView node, DoorCounters counters, Supplier<RespServer> server) {
        this.version = version;
        this.node = node;
        this.counters = counters;
        this.server = server;
    }

    @Override
    public void run(Call call) {
        StringBuilder text = new StringBuilder();
        section(call, text, "Server", this::server);
        section(call, text, "Door", this::door);
        section(call, text, "Node", node::status);
        section(call, text, "Store", () -> values(StoreStats.class, node.store().stats()));
        call.reply().bulk(text.toString());
    }

    private static void section(Call call, StringBuilder text, String name, Supplier<Map<String, ?>> lines) {
        if (!asked(call, name)) {
            return;
        }
        text.append(text.isEmpty() ? "" : "\r\n").append("# ").append(name).append("\r\n");
        lines.get()
                .forEach((key, value) ->
                        text.append(key).append(':').append(oneLine(value)).append("\r\n"));
    }

    private static boolean asked(Call call, String section) {
        boolean wanted = call.command().size() == 1;
        for (int i = 1; i < call.command().size(); i++) {
            wanted |= call.is(i, section) || call.is(i, "all") || call.is(i, "everything") || call.is(i, "default");
        }
        return wanted;
    }

    private Map<String, ?> server() {
        Map<String, Object> lines = new LinkedHashMap<>();
        lines.put("kvern_version", version);
        lines.put("process_id", ProcessHandle.current().pid());
        lines.put("tcp_port", server.get().port());
        lines.put("uptime_in_seconds", (System.nanoTime() - startNanos) / 1_000_000_000);
        return lines;
    }

    private Map<String, ?> door() {
        Map<String, Object> lines =
                new LinkedHashMap<>(values(RespServerStats.class, server.get().stats()));
        lines.put("hits", counters.hits.sum());
        lines.put("misses", counters.misses.sum());
        lines.put("unsure", counters.unsure.sum());
        lines.put("corrupt", counters.corrupt.sum());
        lines.put("read_errors", counters.readErrors.sum());
        lines.put("writes", counters.writes.sum());
        lines.put("write_errors", counters.writeErrors.sum());
        return lines;
    }

    /** The components of a record, {@code liveBytes} as {@code live_bytes}: what is counted cannot be forgotten here. */
    private static <R extends Record> Map<String, Object> values(Class<R> type, R stats) {
        Map<String, Object> lines = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            try {
                String name = component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
                lines.put(name, component.getAccessor().invoke(stats));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("%s of %s cannot be read".formatted(component.getName(), type), e);
            }
        }
        return lines;
    }

    private static String oneLine(Object value) {
        return String.valueOf(value).replace('\r', ' ').replace('\n', ' ');
    }
}
