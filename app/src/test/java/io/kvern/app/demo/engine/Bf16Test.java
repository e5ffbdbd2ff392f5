package io.kvern.app.demo.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Bf16Test {
    @ParameterizedTest
    @CsvSource({
        "0x3f800000, 0x3f80", // 1 is exact
        "0x3f808000, 0x3f80", // half way between 1 and the next: to even, down
        "0x3f818000, 0x3f82", // half way again: to even, up
        "0x3f808001, 0x3f81", // a little over half way
        "0x3f807fff, 0x3f80", // a little under
        "0xbf818000, 0xbf82", // the sign does not matter
        "0x80000000, 0x8000", // minus zero stays
        "0x00000001, 0x0000", // the least subnormal is lost
        "0x7f7fffff, 0x7f80", // the greatest float becomes infinite
        "0x7f800000, 0x7f80",
        "0xff800000, 0xff80",
        "0x7fc00000, 0x7fc0",
        "0x7f800001, 0x7fc0", // a NaN with its bits in the lost half stays a NaN
        "0xffffffff, 0xffff"
    })
    void roundsToNearestEven(String floatBits, String expected) {
        float value = Float.intBitsToFloat(Integer.parseUnsignedInt(floatBits.substring(2), 16));

        assertThat(Integer.toHexString(Bf16.of(value) & 0xffff))
                .isEqualTo(Integer.toHexString(Integer.parseInt(expected.substring(2), 16)));
    }

    @Test
    void everyValueSurvivesTheWayThroughAFloat() {
        for (int bits = 0; bits <= 0xffff; bits++) {
            float value = Bf16.toFloat((short) bits);
            if (Float.isNaN(value)) {
                assertThat(Bf16.toFloat(Bf16.of(value))).isNaN();
            } else {
                assertThat(Bf16.of(value)).isEqualTo((short) bits);
            }
        }
    }
}
