package io.kvern.app.demo.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrefixHashTest {
    private static final int[] TOKENS = {1, 2, 3, 4, 5, 6, 7, 65536, 9};

    @Test
    void chainsSha256OverParentAndTokens() {
        // As Python's hashlib gives them.
        assertThat(PrefixHash.chain(TOKENS, TOKENS.length, 4))
                .extracting(Object::toString)
                .containsExactly(
                        "{cc01cfcf18c4dd44dad56dfdbabd1775ef384c9551eb506506a8130b61fb8281}:0/1:0",
                        "{689cdf7fe4f3844ae1179e197ad0f649ee39f899321a152f6bf936218ebddcf1}:0/1:0");
    }

    @Test
    void namesOnlyFullBlocksOfTheTokensThatCount() {
        assertThat(PrefixHash.chain(TOKENS, 8, 4)).hasSize(2);
        assertThat(PrefixHash.chain(TOKENS, 7, 4)).hasSize(1);
        assertThat(PrefixHash.chain(TOKENS, 3, 4)).isEmpty();
    }

    @Test
    void aBlockIsNamedByEverythingBeforeIt() {
        int[] other = TOKENS.clone();
        other[0]++;

        assertThat(PrefixHash.chain(other, 8, 4).get(1))
                .isNotEqualTo(PrefixHash.chain(TOKENS, 8, 4).get(1));
    }
}
