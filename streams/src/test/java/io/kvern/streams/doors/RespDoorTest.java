package io.kvern.streams.doors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.ingest.PublishOutcome;
import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.Crc32c;
import io.kvern.model.Namespace;
import io.kvern.model.WriteMode;
import io.kvern.resp.server.RespServerConfig;
import io.kvern.streams.Certainty;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RespDoorTest {
    private static final Duration UNSURE_WAIT = Duration.ofMillis(150);
    private static final Duration WRITE_TIMEOUT = Duration.ofMillis(300);
    private static final int MAX_BLOCK = 1 << 20;

    private final MemoryNode node = new MemoryNode();
    private final RespDoor door = RespDoor.open(config(), node, node);
    private final RawClient client;

    RespDoorTest() throws IOException {
        client = new RawClient(door.port());
    }

    private static DoorConfig config() {
        RespServerConfig defaults = RespServerConfig.at("127.0.0.1", 0);
        return new DoorConfig(defaults, MAX_BLOCK, UNSURE_WAIT, WRITE_TIMEOUT);
    }

    @AfterEach
    void nothingIsHeld() throws IOException {
        client.close();
        node.close();
        door.close();
        assertThat(door.stats().memoryInUse()).isZero();
        assertThat(node.store.openLeases).hasValue(0);
    }

    private static BlockKey key(String id) {
        return Namespace.opaque("default").key(BlockId.of(id));
    }

    private void stored(String id, WriteMode mode, String value) {
        node.store.put(key(id), mode, 1, value.getBytes(UTF_8));
    }

    private void answers(String expected, String... words) throws IOException {
        assertThat(client.send(words).reply(expected)).isEqualTo(expected);
    }

    @Nested
    class Connections {
        @Test
        void areGreetedAsRedisDoes() throws IOException {
            answers("+PONG\r\n", "PING");
            answers("$5\r\nhello\r\n", "ping", "hello");
            answers("-ERR wrong number of arguments for 'ping' command\r\n", "PING", "a", "b");
            answers("+OK\r\n", "CLIENT", "SETINFO", "LIB-NAME", "redis-cli");
            answers("+OK\r\n", "client", "setname", "me");
            answers("-ERR wrong number of arguments for 'client|setname' command\r\n", "CLIENT", "SETNAME");
            answers("-ERR unknown subcommand 'KILL'. Try CLIENT HELP.\r\n", "CLIENT", "KILL", "x");
            answers("*0\r\n", "COMMAND");
            answers("*0\r\n", "COMMAND", "DOCS");
            answers("+OK\r\n", "SELECT", "0");
            answers("-ERR DB index is out of range\r\n", "SELECT", "1");
            answers("-ERR value is not an integer or out of range\r\n", "SELECT", "x");
            assertThat(client.send("QUIT").rest()).isEqualTo("+OK\r\n".getBytes(UTF_8));
        }

        @Test
        void helloSpeaksVersionTwoOnly() throws IOException {
            answers(
                    ("*14 $6 server $5 kvern $7 version $3 dev $5 proto :2 $2 id :1 $4 mode $10 standalone $4 role $6"
                                    + " master $7 modules *0 ")
                            .replace(" ", "\r\n"),
                    "HELLO",
                    "2");
            answers("-NOPROTO unsupported protocol version\r\n", "HELLO", "3");
            answers("-ERR Protocol version is not an integer or out of range\r\n", "HELLO", "x");
            answers("-ERR Syntax error in HELLO option 'AUTH'\r\n", "HELLO", "2", "AUTH", "user");
        }

        @Test
        void unknownCommandsAndWrongCountsAreNamedAsInRedis() throws IOException {
            answers("-ERR unknown command 'Foo', with args beginning with: 'a' 'b c' \r\n", "Foo", "a", "b c");
            answers("-ERR unknown command 'KV.NONE', with args beginning with: \r\n", "KV.NONE");
            for (String name : List.of("get", "strlen", "kv.verify")) {
                answers("-ERR wrong number of arguments for '%s' command\r\n".formatted(name), name);
                answers("-ERR wrong number of arguments for '%s' command\r\n".formatted(name), name, "a", "b");
            }
            for (String name : List.of("mget", "exists", "del", "kv.match", "kv.read", "auth", "client")) {
                answers("-ERR wrong number of arguments for '%s' command\r\n".formatted(name), name);
            }
            answers("-ERR wrong number of arguments for 'set' command\r\n", "SET", "a");
            answers("-ERR wrong number of arguments for 'dbsize' command\r\n", "DBSIZE", "a");
        }

        @Test
        void infoShowsDoorNodeAndStore() throws IOException {
            stored("a", WriteMode.SET, "x");
            answers("$1\r\nx\r\n", "GET", "a");
            answers("$-1\r\n", "GET", "b");
            assertThat(info())
                    .contains("# Server\r\n", "# Door\r\n", "# Node\r\n", "# Store\r\n")
                    .contains("\r\nhits:1\r\n", "\r\nmisses:1\r\n", "\r\nconnections:1\r\n", "\r\nstate:RUNNING\r\n")
                    .contains("\r\nblocks:1\r\n", "\r\ncapacity_bytes:77000000\r\n")
                    .contains("\r\ntcp_port:" + door.port() + "\r\n");
            assertThat(info("store")).startsWith("# Store\r\n").doesNotContain("# Door");
            assertThat(info("nonsense")).isEmpty();
        }

        private String info(String... sections) throws IOException {
            String[] words = new String[sections.length + 1];
            words[0] = "INFO";
            System.arraycopy(sections, 0, words, 1, sections.length);
            int length = Integer.parseInt(client.send(words).line().substring(1));
            String text = new String(client.bytes(length), UTF_8);
            assertThat(client.line()).isEmpty();
            return text;
        }
    }

    @Nested
    class Namespaces {
        @Test
        void areChosenByTheUserAndShareNothing() throws IOException {
            answers("+OK\r\n", "SET", "k", "in default");
            answers("+OK\r\n", "AUTH", "any password");
            answers("$10\r\nin default\r\n", "GET", "k");
            answers("+OK\r\n", "AUTH", "org/modèle", "pw");
            answers("$-1\r\n", "GET", "k");
            answers("+OK\r\n", "SET", "k", "other");
            answers(":1\r\n", "DBSIZE");
            answers("+OK\r\n", "AUTH", "default", "pw");
            answers("$10\r\nin default\r\n", "GET", "k");
            answers("-ERR syntax error\r\n", "AUTH", "a", "b", "c");
            answers("-ERR namespace name has 0 UTF-8 bytes; 1 to 1024 are allowed\r\n", "AUTH", "", "pw");
        }

        @Test
        void helloChoosesToo() throws IOException {
            BlockKey other = Namespace.opaque("other").key(BlockId.of("k"));
            node.store.put(other, WriteMode.SET, 1, "x".getBytes(UTF_8));
            client.send("HELLO", "2", "AUTH", "other", "pw", "SETNAME", "me").send("GET", "k");
            while (!client.line().equals("modules")) {}
            assertThat(client.line()).isEqualTo("*0");
            assertThat(client.line()).isEqualTo("$1");
            assertThat(client.line()).isEqualTo("x");
        }

        @Test
        void aFingerprintMakesThemImmutable() throws IOException {
            String user = "org/model#00112233445566778899aAbBcCdDeEfF";
            answers("+OK\r\n", "AUTH", user, "");
            answers("+OK\r\n", "SET", "k", "first");
            answers("+OK\r\n", "SET", "k", "second");
            answers("$5\r\nfirst\r\n", "GET", "k");
            BlockKey key = Scope.of(user).key(BlockId.of("k"));
            assertThat(key.fingerprint()).hasToString("00112233445566778899aabbccddeeff");
            assertThat(Objects.requireNonNull(node.store.find(key)).mode()).isEqualTo(WriteMode.IF_ABSENT);
            // Not 32 digits: a name like any other.
            answers("+OK\r\n", "AUTH", "org/model#0011", "");
            answers("+OK\r\n", "SET", "k", "first");
            answers("+OK\r\n", "SET", "k", "second");
            answers("$6\r\nsecond\r\n", "GET", "k");
        }
    }

    @Nested
    class Reads {
        @Test
        void answerFromTheStore() throws IOException {
            stored("a", WriteMode.SET, "one");
            stored("b", WriteMode.IF_ABSENT, "three");
            answers("$3\r\none\r\n", "GET", "a");
            answers("$-1\r\n", "GET", "x");
            answers("*4\r\n$3\r\none\r\n$-1\r\n$5\r\nthree\r\n$3\r\none\r\n", "MGET", "a", "x", "b", "a");
            answers(":5\r\n", "STRLEN", "b");
            answers(":0\r\n", "STRLEN", "x");
            answers(":3\r\n", "EXISTS", "a", "x", "a", "b");
            answers(":2\r\n", "DBSIZE");
            answers("*2\r\n:2\r\n:8\r\n", "KV.MATCH", "a", "b", "x", "a");
            answers("*2\r\n:0\r\n:0\r\n", "KV.MATCH", "x", "a");
            answers("*2\r\n:3\r\n:9\r\n", "KV.MATCH", "a", "a", "a");
        }

        @Test
        void idsAreCheckedAndOpaque() throws IOException {
            String binary = "\0\r\n é{}";
            answers("+OK\r\n", "SET", binary, "v");
            answers("$1\r\nv\r\n", "GET", binary);
            answers("-ERR block id has 0 bytes; 1 to 1024 are allowed\r\n", "GET", "");
            answers("-ERR block id has 1025 bytes; 1 to 1024 are allowed\r\n", "GET", "x".repeat(1025));
            answers("-ERR block id has 1025 bytes; 1 to 1024 are allowed\r\n", "MGET", "a", "x".repeat(1025));
            answers("-ERR block id has 1025 bytes; 1 to 1024 are allowed\r\n", "KV.READ", "x".repeat(1025));
            answers("$-1\r\n", "GET", "x".repeat(1024));
        }

        @Test
        void aDamagedBlockIsNilAndGone() throws IOException {
            stored("a", WriteMode.SET, "one");
            stored("b", WriteMode.SET, "two");
            node.store.damage(key("a"));
            answers("*2\r\n$-1\r\n$3\r\ntwo\r\n", "MGET", "a", "b");
            answers(":0\r\n", "EXISTS", "a");
        }

        @Test
        void aDiskErrorIsAnErrorNeverNil() throws IOException {
            stored("a", WriteMode.SET, "one");
            node.store.failing.add(key("a"));
            answers("-ERR block a could not be read: no such sector\r\n", "GET", "a");
            answers("*1\r\n-ERR block a could not be read: no such sector\r\n", "MGET", "a");
        }

        @Test
        void aBlockReplacedByALongerOneWhileBeingReadIsReadAgain() throws IOException {
            stored("a", WriteMode.SET, "short");
            node.store.beforeRead = () -> stored("a", WriteMode.SET, "much longer");
            answers("$11\r\nmuch longer\r\n", "GET", "a");
        }

        @Test
        void aBlockThatNeverStandsStillIsTriedAFewTimes() throws IOException {
            stored("a", WriteMode.SET, "x");
            StringBuilder growing = new StringBuilder("x");
            node.store.beforeRead =
                    () -> stored("a", WriteMode.SET, growing.append('x').toString());
            answers("-TRYAGAIN block a was replaced 8 times while it was read\r\n", "GET", "a");
        }

        @Test
        void verifyDropsWhatIsDamaged() throws IOException {
            stored("a", WriteMode.SET, "one");
            answers(":1\r\n", "KV.VERIFY", "a");
            answers(":0\r\n", "KV.VERIFY", "x");
            node.store.damage(key("a"));
            answers(":0\r\n", "KV.VERIFY", "a");
            answers("$-1\r\n", "GET", "a");
        }
    }

    @Nested
    class RawReads {
        @Test
        void giveLengthCrcAndPayload() throws IOException {
            byte[] value = new byte[3_000_001];
            new Random(7).nextBytes(value);
            node.store.put(key("a"), WriteMode.SET, 1, value);
            client.send("KV.READ", "a");
            assertThat(client.line()).isEqualTo("*3");
            assertThat(client.line()).isEqualTo(":3000001");
            assertThat(client.line()).isEqualTo(":" + Integer.toUnsignedString(Crc32c.of(ByteBuffer.wrap(value))));
            assertThat(client.line()).isEqualTo("$3000001");
            assertThat(client.bytes(value.length)).isEqualTo(value);
            assertThat(client.line()).isEmpty();
            answers("*-1\r\n", "KV.READ", "x");
        }

        @Test
        void leaveTheCheckingToTheReceiver() throws IOException {
            stored("a", WriteMode.SET, "one");
            String crc = Integer.toUnsignedString(
                    Objects.requireNonNull(node.store.find(key("a"))).crc());
            node.store.damage(key("a"));
            client.send("KV.READ", "a");
            String head = "*3\r\n:3\r\n:" + crc + "\r\n$3\r\n";
            assertThat(client.reply(head)).isEqualTo(head);
            assertThat(client.line()).isNotEqualTo("one");
        }

        @Test
        void failBeforeTheHeaderWithAnErrorAndBehindItByClosing() throws IOException {
            byte[] value = new byte[2 << 20];
            node.store.put(key("a"), WriteMode.SET, 1, value);
            node.store.leasesFailFrom = 0;
            answers("-ERR the block could not be read: no such sector\r\n", "KV.READ", "a");
            node.store.leasesFailFrom = 1 << 20;
            assertThat(client.send("KV.READ", "a").rest().length).isLessThan(value.length);
        }

        @Test
        void waitForARecordWhenAsked() throws IOException {
            stored("a", WriteMode.SET, "one");
            int partition = node.partitionOf(key("a"));
            String p = Integer.toString(partition);
            answers(
                    "-TRYAGAIN partition %d is not applied up to offset 5 here yet\r\n".formatted(partition),
                    "KV.READ",
                    "a",
                    "AFTER",
                    p,
                    "5");
            node.apply(partition, 5);
            assertThat(client.send("KV.READ", "a", "after", p, "5").line()).isEqualTo("*3");
            assertThat(client.line()).isEqualTo(":3");
            client.line();
            assertThat(client.line() + client.line()).isEqualTo("$3one");
            answers("-ERR syntax error\r\n", "KV.READ", "a", "AFTER", p);
            answers("-ERR syntax error\r\n", "KV.READ", "a", "BEFORE", p, "5");
            answers("-ERR value is not an integer or out of range\r\n", "KV.READ", "a", "AFTER", p, "-5");
            int wrong = (partition + 1) % MemoryNode.PARTITIONS;
            answers(
                    "-ERR partition %d is not that of this id, which is %d\r\n".formatted(wrong, partition),
                    "KV.READ",
                    "a",
                    "AFTER",
                    Integer.toString(wrong),
                    "5");
        }
    }

    @Nested
    class Writes {
        @Test
        void areReadBackAtOnce() throws IOException {
            answers("+OK\r\n", "SET", "a", "one");
            answers("$3\r\none\r\n", "GET", "a");
            answers("+OK\r\n", "SET", "a", "two");
            answers("$3\r\ntwo\r\n", "GET", "a");
            answers(":1\r\n", "DEL", "a", "x", "a");
            answers("$-1\r\n", "GET", "a");
            answers(":0\r\n", "DEL", "a");
        }

        @Test
        void refuseWhatCanNeverBeStored() throws IOException {
            answers("-ERR value has 0 bytes; a block has at least 1\r\n", "SET", "a", "");
            answers("-ERR block id has 0 bytes; 1 to 1024 are allowed\r\n", "SET", "", "v");
            answers("-ERR block id has 1025 bytes; 1 to 1024 are allowed\r\n", "SET", "x".repeat(1025), "v");
            answers("-ERR syntax error\r\n", "SET", "a", "v", "NX");
            client.send(List.of("SET".getBytes(UTF_8), "a".getBytes(UTF_8), new byte[MAX_BLOCK + 1]));
            assertThat(client.line())
                    .isEqualTo(
                            "-ERR length of the value is 1048577, over the limit of 1048576 (setting block.max.bytes)");
            client.send(List.of("SET".getBytes(UTF_8), "a".getBytes(UTF_8), new byte[MAX_BLOCK]));
            assertThat(client.line()).isEqualTo("+OK");
        }

        @Test
        void sayHowFarTheyGot() throws IOException {
            node.refusal = new PublishOutcome.Dropped(1000, 999);
            answers(
                    "-ERR not written: 999 bytes are in flight to the log, and the budget is 1000 (setting"
                            + " publish.budget.bytes)\r\n",
                    "SET",
                    "a",
                    "v");
            node.refusal = new PublishOutcome.Failed("no leader", new IOException());
            answers("-ERR not written to the log: no leader\r\n", "SET", "a", "v");
            node.refusal = null;
            node.applies = false;
            answers(
                    "-TRYAGAIN stored in the log at partition %d offset 100, not applied yet\r\n"
                            .formatted(node.partitionOf(key("a"))),
                    "SET",
                    "a",
                    "v");
        }

        @Test
        void keepTheValueUntilThePublisherLetsGo() throws IOException {
            byte[] value = new byte[900_000];
            new Random(9).nextBytes(value);
            node.acknowledges = false;
            client.send(List.of("SET".getBytes(UTF_8), "a".getBytes(UTF_8), value));
            assertThat(client.line())
                    .isEqualTo(
                            "-TRYAGAIN not acknowledged by the log within 300 ms (setting door.write.timeout); it may"
                                    + " still be written");
            assertThat(door.stats().memoryInUse()).isPositive();
            // Others use memory of the same size meanwhile.
            node.acknowledges = true;
            client.send(List.of("SET".getBytes(UTF_8), "b".getBytes(UTF_8), new byte[900_000]));
            assertThat(client.line()).isEqualTo("+OK");
            Objects.requireNonNull(node.held.poll()).run();
            client.send("GET", "a");
            assertThat(client.line()).isEqualTo("$900000");
            assertThat(client.bytes(900_000)).isEqualTo(value);
        }

        @Test
        void ofSeveralRemovalsTheFailedAreCounted() throws IOException {
            stored("a", WriteMode.SET, "one");
            stored("b", WriteMode.SET, "two");
            node.refusal = new PublishOutcome.Failed("no leader", new IOException());
            answers("-ERR not written to the log: no leader; 0 of 2 are removed\r\n", "DEL", "a", "b");
        }
    }

    @Nested
    class Certainties {
        private static final List<List<String>> READS = List.of(
                List.of("GET", "a"),
                List.of("STRLEN", "a"),
                List.of("EXISTS", "a"),
                List.of("MGET", "a"),
                List.of("DEL", "a"),
                List.of("KV.READ", "a"));

        private String behind() {
            return "-TRYAGAIN this node is behind on partition %d and did not catch up within 150 ms (setting door.unsure.wait)"
                    .formatted(node.partitionOf(key("a")));
        }

        @Test
        void absentWhileUnsureIsNeverNil() throws IOException {
            node.become(Certainty.UNSURE);
            for (List<String> read : READS) {
                long before = System.nanoTime();
                assertThat(client.send(read.toArray(String[]::new)).line())
                        .as(read.getFirst())
                        .isEqualTo(behind());
                assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(UNSURE_WAIT.toNanos());
            }
        }

        @Test
        void aChangeableBlockWhileUnsureIsNotServed() throws IOException {
            stored("a", WriteMode.SET, "maybe old");
            node.become(Certainty.UNSURE);
            for (List<String> read : READS) {
                assertThat(client.send(read.toArray(String[]::new)).line())
                        .as(read.getFirst())
                        .isEqualTo(behind());
            }
        }

        @Test
        void anImmutableBlockIsServedWithoutWaiting() throws IOException {
            stored("a", WriteMode.IF_ABSENT, "for ever");
            node.become(Certainty.UNSURE);
            answers("$8\r\nfor ever\r\n", "GET", "a");
            answers(":8\r\n", "STRLEN", "a");
            answers(":1\r\n", "EXISTS", "a");
            answers("*1\r\n$8\r\nfor ever\r\n", "MGET", "a");
            answers("*2\r\n:1\r\n:8\r\n", "KV.MATCH", "a");
            assertThat(client.send("KV.READ", "a").line()).isEqualTo("*3");
            assertThat(node.awaits()).isZero();
        }

        @Test
        void oneUnsureIdMakesAllOfMgetUnsure() throws IOException {
            stored("a", WriteMode.IF_ABSENT, "for ever");
            node.become(Certainty.UNSURE);
            assertThat(client.send("MGET", "a", "x").line()).startsWith("-TRYAGAIN ");
            assertThat(client.send("PING").line()).isEqualTo("+PONG");
        }

        @Test
        void anUnsureIdEndsAMatch() throws IOException {
            stored("a", WriteMode.IF_ABSENT, "one");
            stored("b", WriteMode.SET, "two");
            stored("c", WriteMode.IF_ABSENT, "three");
            node.become(Certainty.UNSURE);
            answers("*2\r\n:1\r\n:3\r\n", "KV.MATCH", "a", "b", "c");
        }

        @Test
        void becomingCurrentEndsTheWait() throws IOException {
            stored("a", WriteMode.SET, "one");
            node.become(Certainty.UNSURE);
            client.send("GET", "a").send("GET", "x");
            awaitWaiter(1);
            node.become(Certainty.CURRENT);
            String expected = "$3\r\none\r\n$-1\r\n";
            assertThat(client.reply(expected)).isEqualTo(expected);
        }

        @Test
        void whatComesWhileWaitingIsServedEvenIfTheNodeStaysUnsure() throws IOException {
            node.become(Certainty.UNSURE);
            client.send("GET", "a");
            awaitWaiter(1);
            stored("a", WriteMode.IF_ABSENT, "late");
            String expected = "$4\r\nlate\r\n";
            assertThat(client.reply(expected)).isEqualTo(expected);
        }

        @Test
        void elsewhereIsNeverNilAndNothingIsPublished() throws IOException {
            stored("a", WriteMode.IF_ABSENT, "not attached");
            node.become(Certainty.ELSEWHERE);
            String elsewhere =
                    "-TRYAGAIN partition %d is not attached to this node\r\n".formatted(node.partitionOf(key("a")));
            for (List<String> read : READS) {
                answers(elsewhere, read.toArray(String[]::new));
            }
            answers(elsewhere, "KV.VERIFY", "a");
            answers("*2\r\n:0\r\n:0\r\n", "KV.MATCH", "a");
            node.acknowledges = false;
            answers(elsewhere, "SET", "a", "v");
            assertThat(node.held).isEmpty();
            assertThat(node.awaits()).isZero();
        }

        @Test
        void aPartitionDetachedDuringTheLookIsNotNil() throws IOException {
            stored("a", WriteMode.SET, "one");
            node.store.beforeRead = () -> {
                node.become(Certainty.ELSEWHERE);
                node.store.remove(key("a"));
            };
            assertThat(client.send("GET", "a").line()).startsWith("-TRYAGAIN partition ");
        }

        private void awaitWaiter(int count) {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (node.awaits() < count) {
                assertThat(System.nanoTime()).isLessThan(until);
                LockSupport.parkNanos(500_000);
            }
        }
    }
}
