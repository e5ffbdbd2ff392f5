package io.kvern.worker.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.BlockId;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Namespace;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.load.LoadStatus;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AbsentBrokerTest {
    private static LogLoaderConfig config(String bootstrap) {
        return new LogLoaderConfig(
                Namespace.opaque("n"),
                "worker",
                bootstrap,
                "kvern.loads",
                4,
                "kvern.replies",
                0,
                Duration.ofMillis(20),
                Duration.ofSeconds(2),
                Map.of());
    }

    @Test
    void aLoadIsLateAndSaysWhy() throws Exception {
        String nobody;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = "127.0.0.1:" + free.getLocalPort();
        }
        LogLoader loader = new LogLoader(config(nobody));
        try (loader) {
            ByteBuffer room = ByteBuffer.allocate(10);
            long begin = System.nanoTime();

            var load = loader.load(List.of(new LoadRequest(BlockId.of("id"), room)), Duration.ofMillis(300))
                    .blocks()
                    .getFirst();

            assertThat(load.status()).isEqualTo(LoadStatus.LATE);
            assertThat(load.detail()).contains("kvern.replies-0");
            assertThat(room.position()).isZero();
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(Duration.ofMillis(300), Duration.ofSeconds(10));
        }
        assertThatThrownBy(() -> loader.load(List.of(), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void settingsThatCannotBeAreNamed() {
        assertThatThrownBy(() -> config(" ")).hasMessageContaining("bootstrap.servers");
        assertThatThrownBy(() -> config("h:1").withReplyPartition(-1)).hasMessageContaining("replyPartition is -1");
        assertThatThrownBy(() -> new LogLoader(config("nonsense")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("nonsense");
    }
}
