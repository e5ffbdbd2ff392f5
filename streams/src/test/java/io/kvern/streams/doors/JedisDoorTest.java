package io.kvern.streams.doors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;

/** An unchanged Redis client against the door. */
@Timeout(60)
class JedisDoorTest {
    private final MemoryNode node = new MemoryNode();
    private final RespDoor door = RespDoor.open(DoorConfig.at("127.0.0.1", 0), node, node);

    @AfterEach
    void nothingIsHeld() {
        door.close();
        node.close();
        assertThat(door.stats().memoryInUse()).isZero();
    }

    @Test
    void blocksOfAllSizesComeBackAsTheyWent() {
        try (Jedis jedis = new Jedis("127.0.0.1", door.port())) {
            Random random = new Random(1);
            for (int size : new int[] {1, 2, 511, 512, 4096, 65_537, 1 << 20, (4 << 20) + 3, 16 << 20}) {
                byte[] id = ("block/" + size).getBytes(UTF_8);
                byte[] value = new byte[size];
                random.nextBytes(value);
                assertThat(jedis.set(id, value)).isEqualTo("OK");
                assertThat(jedis.strlen(id)).isEqualTo(size);
                assertThat(jedis.get(id)).isEqualTo(value);
            }
            assertThat(jedis.dbSize()).isEqualTo(9);
            assertThat(jedis.exists("block/1", "block/2", "none")).isEqualTo(2);
            assertThat(jedis.mget("none", "block/none")).containsExactly(null, null);
            assertThat(jedis.del("block/1", "none")).isEqualTo(1);
            assertThat(jedis.get("block/1")).isNull();
            assertThat(jedis.info()).contains("# Store");
            assertThat(jedis.ping()).isEqualTo("PONG");
        }
    }

    @Test
    void theLargestBlockPasses() {
        try (Jedis jedis = new Jedis("127.0.0.1", door.port())) {
            byte[] value = new byte[Limits.DEFAULT_MAX_BLOCK_BYTES];
            new Random(2).nextBytes(value);
            byte[] id = "largest".getBytes(UTF_8);
            assertThat(jedis.set(id, value)).isEqualTo("OK");
            assertThat(Arrays.equals(jedis.get(id), value)).isTrue();
            assertThatThrownBy(() -> jedis.set(id, Arrays.copyOf(value, value.length + 1)))
                    .isInstanceOf(JedisDataException.class)
                    .hasMessageContaining("67108865, over the limit of 67108864 (setting block.max.bytes)");
        }
    }

    @Test
    void aPipelineIsAnsweredInOrder() {
        try (Jedis jedis = new Jedis("127.0.0.1", door.port());
                Pipeline pipeline = jedis.pipelined()) {
            List<Response<byte[]>> replies = new ArrayList<>();
            Random random = new Random(3);
            List<byte[]> values = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                byte[] id = ("p" + i).getBytes(UTF_8);
                byte[] value = new byte[1 + random.nextInt(30_000)];
                random.nextBytes(value);
                values.add(value);
                pipeline.set(id, value);
                replies.add(pipeline.get(id));
            }
            pipeline.sync();
            for (int i = 0; i < values.size(); i++) {
                assertThat(replies.get(i).get()).as("reply %d", i).isEqualTo(values.get(i));
            }
        }
    }

    @Test
    void aPoolOfClientsWithANamespaceOfTheirOwn() throws Exception {
        try (RedisClient pool = RedisClient.builder()
                        .hostAndPort("127.0.0.1", door.port())
                        .clientConfig(DefaultJedisClientConfig.builder()
                                .user("org/model")
                                .password("secret")
                                .build())
                        .build();
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> runs = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                Random random = new Random(10 + t);
                String prefix = "t" + t + "/";
                runs.add(threads.submit(() -> {
                    Map<String, byte[]> mine = new HashMap<>();
                    for (int i = 0; i < 60; i++) {
                        String id = prefix + random.nextInt(20);
                        byte[] value = new byte[1 + random.nextInt(200_000)];
                        random.nextBytes(value);
                        pool.set(id.getBytes(UTF_8), value);
                        mine.put(id, value);
                        String other = prefix + random.nextInt(20);
                        assertThat(pool.get(other.getBytes(UTF_8))).isEqualTo(mine.get(other));
                    }
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
            try (Jedis stranger = new Jedis("127.0.0.1", door.port())) {
                assertThat(stranger.dbSize()).isZero();
            }
        }
    }

    @Test
    void helloOfVersionTwoIsUnderstood() {
        try (Jedis jedis = new Jedis(
                new HostAndPort("127.0.0.1", door.port()),
                DefaultJedisClientConfig.builder()
                        .protocol(RedisProtocol.RESP2)
                        .user("org/model")
                        .password("x")
                        .clientName("me")
                        .build())) {
            assertThat(jedis.set("a", "b")).isEqualTo("OK");
            assertThat(jedis.get("a")).isEqualTo("b");
        }
    }
}
