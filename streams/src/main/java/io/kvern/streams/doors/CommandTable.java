package io.kvern.streams.doors;

import io.kvern.resp.server.RespCommand;
import io.kvern.resp.server.RespServer;
import io.kvern.streams.NodeView;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which command is answered by whom, and with how many arguments. */
final class CommandTable {
    private final Map<String, Entry> entries = new HashMap<>();

    /**
     * @param words of a call, the name included: exactly so many, or, where negative, at least so many, as in Redis
     * @param command that answers
     */
    private record Entry(int words, Command command) {
        boolean accepts(int size) {
            return words >= 0 ? size == words : size >= -words;
        }
    }

    /** @param server that the commands come through; it may have to be waited for, for an instant, by who asks */
    CommandTable(DoorConfig config, NodeView node, LogWriter log, Supplier<RespServer> server) {
        DoorCounters counters = new DoorCounters();
        BlockLookup lookup = new BlockLookup(node, config.unsureWait());
        BlockFetch fetch = new BlockFetch(node, lookup, counters);
        KeySurvey survey = new KeySurvey(lookup, counters);
        LogWait wait = new LogWait(node, config.writeTimeout(), counters);
        String version = version();

        add("PING", -1, ConnectionCommands::ping);
        add("HELLO", -1, new HelloCommand(version));
        add("AUTH", -2, new AuthCommand());
        add("SELECT", 2, ConnectionCommands::select);
        add("CLIENT", -2, ConnectionCommands::client);
        add("COMMAND", -1, call -> ConnectionCommands.command(call, entries.size()));
        add("QUIT", -1, ConnectionCommands::quit);
        add("INFO", -1, new InfoCommand(version, node, counters, server));

        add("GET", 2, new GetCommand(lookup, fetch));
        add("MGET", -2, new MGetCommand(survey, lookup, fetch));
        add("STRLEN", 2, new StrlenCommand(lookup, counters));
        add("EXISTS", -2, new ExistsCommand(survey, counters));
        add("DBSIZE", 1, new DbSizeCommand(node));
        add("SET", -3, new SetCommand(lookup, log, wait, config.maxBlockBytes()));
        add("DEL", -2, new DelCommand(survey, log, wait));

        add("KV.MATCH", -2, new KvMatchCommand(lookup, counters));
        add("KV.READ", -2, new KvReadCommand(node, lookup, counters));
        add("KV.VERIFY", 2, new KvVerifyCommand(node, lookup));
    }

    /** Runs the command of a call, or answers why there is none. */
    void run(Call call) throws Exception {
        RespCommand command = call.command();
        Entry entry = entries.get(command.name());
        if (entry == null) {
            call.reply()
                    .error("ERR unknown command '%s', with args beginning with: %s"
                            .formatted(command.preview(0, 128), argumentsOf(command)));
        } else if (!entry.accepts(command.size())) {
            call.reply()
                    .error("ERR wrong number of arguments for '%s' command"
                            .formatted(command.name().toLowerCase(Locale.ROOT)));
        } else {
            entry.command.run(call);
        }
    }

    private void add(String name, int words, Command command) {
        entries.put(name, new Entry(words, command));
    }

    /** As Redis shows them: quoted, 128 characters in all. */
    private static String argumentsOf(RespCommand command) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < command.size() && text.length() < 128; i++) {
            text.append('\'').append(command.preview(i, 128 - text.length())).append("' ");
        }
        return text.toString();
    }

    private static String version() {
        @Nullable String version = CommandTable.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }
}
