package io.kvern.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.InvalidInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KvernConfigTest {
    @TempDir
    private Path dir;

    @Test
    void flagsWinOverTheEnvironmentWhichWinsOverTheFile() throws Exception {
        Path file = Files.writeString(
                dir.resolve("kvern.properties"),
                "node.group=from-file\nlisten=127.0.0.1:1\nstore.capacity.bytes=2GiB\nkafka.client.rack=a\n");
        KvernConfig config = KvernConfig.resolve(
                file,
                Map.of("KVERN_LISTEN", "127.0.0.1:2", "KVERN_NODE_GROUP", "from-env", "HOME", "x"),
                Map.of("node.group", "from-flag"));

        assertThat(config.get(Settings.GROUP)).isEqualTo("from-flag");
        assertThat(config.get(Settings.LISTEN)).isEqualTo("127.0.0.1:2");
        assertThat(config.get(Settings.CAPACITY)).isEqualTo(2L << 30);
        assertThat(config.get(Settings.COMMIT)).isEqualTo(Duration.ofMillis(300));
        assertThat(config.kafka()).containsExactly(Map.entry("client.rack", "a"));
        assertThat(config.isSet(Settings.STANDBYS)).isFalse();
    }

    @Test
    void aKeyThatIsNoSettingIsNamedWithItsNearest() {
        assertThatThrownBy(() -> KvernConfig.resolve(null, Map.of(), Map.of("store.capacty.bytes", "1")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("store.capacty.bytes")
                .hasMessageContaining("'store.capacity.bytes'");
    }

    @Test
    void aValueThatCannotBeIsNamedWithItsKeyItsOriginAndWhatIsAllowed() {
        assertThatThrownBy(() -> KvernConfig.resolve(null, Map.of("KVERN_STORE_CAPACITY_BYTES", "much"), Map.of()))
                .hasMessageContaining("store.capacity.bytes")
                .hasMessageContaining("much")
                .hasMessageContaining("KVERN_STORE_CAPACITY_BYTES")
                .hasMessageContaining("256MiB");
        assertThatThrownBy(() -> KvernConfig.resolve(null, Map.of(), Map.of("topics.partitions", "0")))
                .hasMessageContaining("topics.partitions is '0'")
                .hasMessageContaining("1 to 1024");
        assertThatThrownBy(() -> KvernConfig.resolve(null, Map.of(), Map.of("node.silence", "5 parsecs")))
                .hasMessageContaining("300ms");
        assertThatThrownBy(() -> KvernConfig.resolve(null, Map.of(), Map.of("store.segment.bytes", "99999999TiB")))
                .hasMessageContaining("too large");
    }

    @Test
    void aVariableThatNamesNoSettingIsAWarningOnly() {
        KvernConfig config = KvernConfig.resolve(null, Map.of("KVERN_PORT_6390_TCP", "tcp://10.0.0.1:6390"), Map.of());

        assertThat(config.warnings()).singleElement().asString().contains("KVERN_PORT_6390_TCP");
    }

    @Test
    void aFileThatCannotBeReadIsNamed() {
        assertThatThrownBy(() -> KvernConfig.resolve(dir.resolve("absent.properties"), Map.of(), Map.of()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("absent.properties");
    }
}
