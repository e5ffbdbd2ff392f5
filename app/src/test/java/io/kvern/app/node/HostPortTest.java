package io.kvern.app.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.InvalidInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
    @Test
    void readsWhatAPersonWrites() {
        assertThat(HostPort.parse("localhost:6390", "listen")).isEqualTo(new HostPort("localhost", 6390));
        assertThat(HostPort.parse("10.0.0.1:0", "listen")).isEqualTo(new HostPort("10.0.0.1", 0));
        assertThat(HostPort.parse("[::1]:65535", "listen")).isEqualTo(new HostPort("::1", 65535));
    }

    @Test
    void writesWhatItReads() {
        assertThat(HostPort.parse("[::1]:6390", "listen")).hasToString("[::1]:6390");
        assertThat(HostPort.parse("127.0.0.1:6390", "listen")).hasToString("127.0.0.1:6390");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "6390",
                ":6390",
                "host",
                "host:",
                "host:-1",
                "host:65536",
                "host:port",
                "host:99999999999"
            })
    void namesTheSettingAndTheValueThatCannotBe(String text) {
        assertThatThrownBy(() -> HostPort.parse(text, "listen"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("listen is '" + text + "'")
                .hasMessageContaining("0 to 65535");
    }
}
