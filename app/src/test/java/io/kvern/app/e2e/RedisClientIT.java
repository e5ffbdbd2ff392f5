package io.kvern.app.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.app.node.NodeRuntime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** An unchanged Redis client against a real node over a real broker. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RedisClientIT {
    private static final int MIB = 1 << 20;

    @TempDir
    private static Path dir;

    private static Cluster cluster;
    private static NodeRuntime node;

    @BeforeAll
    static void start() throws Exception {
        cluster = new Cluster(dir, Map.of("block.max.bytes", "16MiB"));
        node = cluster.readyNode("node");
    }

    @AfterAll
    static void stop() {
        node.close();
        cluster.close();
    }

    static Jedis redis(NodeRuntime node, String user) {
        return new Jedis(
                new HostAndPort(node.listening().host(), node.listening().port()),
                DefaultJedisClientConfig.builder()
                        .user(user)
                        .password("")
                        .socketTimeoutMillis(30_000)
                        .build());
    }

    private static byte[] bytes(String id, int length, int version) {
        byte[] bytes = new byte[length];
        new Payload(Namespaces.OPAQUE, id, length, version).bytes().get(bytes);
        return bytes;
    }

    @Test
    void valuesOfOneByteToSixteenMebibytesComeBack() {
        int[] sizes = {1, 2, 1000, 64 << 10, 508 << 10, (508 << 10) + 1, MIB, 4 * MIB + 3, 16 * MIB};
        try (Jedis redis = redis(node, "test/opaque")) {
            for (int size : sizes) {
                String id = "value-" + size;
                assertThat(redis.set(id.getBytes(US_ASCII), bytes(id, size, 0))).isEqualTo("OK");
            }
            for (int size : sizes) {
                String id = "value-" + size;
                assertThat(redis.get(id.getBytes(US_ASCII))).as(id).isEqualTo(bytes(id, size, 0));
                assertThat(redis.strlen(id)).isEqualTo(size);
            }
            List<byte[]> both = redis.mget(
                    "value-1".getBytes(US_ASCII), "none".getBytes(US_ASCII), "value-1000".getBytes(US_ASCII));
            assertThat(both.get(0)).isEqualTo(bytes("value-1", 1, 0));
            assertThat(both.get(1)).isNull();
            assertThat(both.get(2)).isEqualTo(bytes("value-1000", 1000, 0));
            assertThat(redis.exists("value-1", "none", "value-2")).isEqualTo(2);
        }
    }

    @Test
    void theLastValueWinsAndARemovedOneIsGone() {
        try (Jedis redis = redis(node, "test/opaque")) {
            byte[] id = "changing".getBytes(US_ASCII);
            for (int version = 1; version <= 5; version++) {
                byte[] value = bytes("changing", 600_000 + version, version);
                redis.set(id, value);
                // Read-your-writes: the answer to SET comes after the node has applied it.
                assertThat(redis.get(id)).as("version %d", version).isEqualTo(value);
            }
            assertThat(redis.del("changing")).isEqualTo(1);
            assertThat(redis.get(id)).isNull();
            assertThat(redis.exists("changing")).isFalse();
        }
    }

    @Test
    void namesOfNamespacesShareNothing() {
        try (Jedis one = redis(node, "org/one");
                Jedis two = redis(node, "org/two")) {
            one.set("same", "first");
            assertThat(two.get("same")).isNull();
            two.set("same", "second");
            assertThat(one.get("same")).isEqualTo("first");
            assertThat(two.get("same")).isEqualTo("second");
        }
    }

    @Test
    void whatCannotBeStoredIsRefusedAndTheConnectionGoesOn() {
        try (Jedis redis = redis(node, "test/opaque")) {
            assertThatThrownBy(() -> redis.set("empty", "")).isInstanceOf(JedisDataException.class);
            assertThatThrownBy(() -> redis.set("i".repeat(1025), "x"))
                    .isInstanceOf(JedisDataException.class)
                    .hasMessageContaining("1025")
                    .hasMessageContaining("1024");
            assertThatThrownBy(() -> redis.set("large".getBytes(US_ASCII), new byte[16 * MIB + 1]))
                    .isInstanceOf(JedisDataException.class)
                    .hasMessageContaining("block.max.bytes");
            assertThat(redis.ping()).isEqualTo("PONG");
            assertThat(redis.get("large")).isNull();
        }
    }

    @Test
    void clientsThatLeaveInTheMiddleOfAValueLeaveNothingBehind() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(), node.listening().port());
            socket.getOutputStream()
                    .write("*3\r\n$3\r\nSET\r\n$6\r\nhalf-%d\r\n$1000000\r\n"
                            .formatted(i % 10)
                            .getBytes(US_ASCII));
            socket.getOutputStream().write(new byte[500_000]);
            sockets.add(socket);
        }
        for (Socket socket : sockets) {
            socket.close();
        }
        try (Jedis redis = redis(node, "default")) {
            for (int i = 0; i < 10; i++) {
                assertThat(redis.exists("half-" + i)).isFalse();
            }
            redis.set("whole", "value");
            assertThat(redis.get("whole")).isEqualTo("value");
        }
    }
}
