package io.kvern.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdentityTest {
    private static final CacheSpec.Engine SPEC =
            new CacheSpec.Engine("bf16", 32, 8, 128, 64, 2, "layer,kv,token", "sha256", "0", "1.0", "rev1");

    @ParameterizedTest
    @CsvSource({
        // Values that CLUSTER KEYSLOT of Redis 7 answers.
        "foo, 12182",
        "123456789, 12739",
        "{user1000}.following, 3443",
        "{user1000}.followers, 3443",
        "foo{}{bar}, 8363",
        "foo{{bar}}zap, 4015",
        "foo{bar}{zap}, 5061"
    })
    void slotsAreThoseOfRedisCluster(String id, int slot) {
        assertThat(Slot.of(BlockId.of(id))).isEqualTo(slot);
    }

    @Test
    void canonicalIdsOfAllRanksShareOneSlot() {
        byte[] hash = {(byte) 0xAB, 0x01};
        BlockId id = BlockId.of(hash, 1, 4, 2);

        assertThat(id).hasToString("{ab01}:1/4:2");
        assertThat(Slot.of(id)).isEqualTo(Slot.of(BlockId.of(hash, 3, 4, 0)));
    }

    @Test
    void idsOfImpossibleLengthAreRefusedWithTheLimit() {
        assertThatThrownBy(() -> BlockId.of(""))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("0 bytes");
        assertThat(BlockId.of(new byte[1024]).length()).isEqualTo(1024);
        assertThatThrownBy(() -> BlockId.of(new byte[1025]))
                .hasMessageContaining("1025")
                .hasMessageContaining("1024");
        assertThatThrownBy(() -> BlockId.of(new byte[] {1}, 2, 2, 0)).hasMessageContaining("rank 2");
    }

    @Test
    void keyKeepsItsPartsAndItsGoldenBytes() {
        BlockKey key = Namespace.opaque("org/model").key(BlockId.of("foo"));

        assertThat(key.slot()).isEqualTo(12182);
        assertThat(key.id()).isEqualTo(BlockId.of("foo"));
        assertThat(key.fingerprint()).isEqualTo(Namespace.opaque("org/model").fingerprint());
        assertThat(BlockKey.decode(key.toBytes())).isEqualTo(key).hasSameHashCodeAs(key);
        assertThat(HexFormat.of().formatHex(key.toBytes()))
                .startsWith("2f96")
                .endsWith("666f6f")
                .isEqualTo("2f96" + key.fingerprint() + "666f6f");
        assertThat(Fingerprint.parse(key.fingerprint().toString())).isEqualTo(key.fingerprint());
        assertThat(Fingerprint.read(ByteBuffer.wrap(key.toBytes()), 2)).isEqualTo(key.fingerprint());
    }

    @Test
    void aKeyWhoseSlotIsNotThatOfItsIdIsRefused() {
        byte[] forged = Namespace.opaque("n").key(BlockId.of("foo")).toBytes();
        forged[1] ^= 1;

        assertThatThrownBy(() -> BlockKey.decode(forged))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("12182");
        assertThatThrownBy(() -> BlockKey.decode(new byte[18])).hasMessageContaining("18 bytes");
    }

    @Test
    void everyFieldOfASpecMakesAnotherNamespace() {
        Set<Fingerprint> seen = new HashSet<>();
        assertThat(seen.add(Namespace.opaque("m").fingerprint())).isTrue();
        assertThat(seen.add(Namespace.opaque("m2").fingerprint())).isTrue();
        for (CacheSpec spec : new CacheSpec[] {
            SPEC,
            new CacheSpec.Engine("fp8", 32, 8, 128, 64, 2, "layer,kv,token", "sha256", "0", "1.0", "rev1"),
            new CacheSpec.Engine("bf16", 328, 1, 28, 64, 2, "layer,kv,token", "sha256", "0", "1.0", "rev1"),
            new CacheSpec.Engine("bf16", 32, 8, 128, 64, 4, "layer,kv,token", "sha256", "0", "1.0", "rev1"),
            new CacheSpec.Engine("bf16", 32, 8, 128, 64, 2, "layer,kv,token", "sha256", "0", "1.0", "rev2"),
            new CacheSpec.Engine("bf16", 32, 8, 128, 64, 2, "layer,kv,token", "sha256", "01", ".0", "rev1"),
        }) {
            assertThat(seen.add(Namespace.of("m", spec).fingerprint())).isTrue();
        }
        assertThat(Namespace.of("m", SPEC).writeMode()).isEqualTo(WriteMode.IF_ABSENT);
        assertThat(Namespace.opaque("m").writeMode()).isEqualTo(WriteMode.SET);
    }

    @Test
    void fingerprintsStayWhatTheyAre() {
        // Golden: a change here makes every stored block of every cluster unreachable.
        assertThat(Namespace.opaque("default").fingerprint()).hasToString("316274ae599c1c4a2d3e2b7cbec832cf");
        assertThat(Namespace.of("org/model", SPEC).fingerprint()).hasToString("845a9c667d92b0198f50cd548da9f748");
    }

    @Test
    void namesOfImpossibleLengthAreRefused() {
        assertThatThrownBy(() -> Namespace.opaque("")).hasMessageContaining("0 UTF-8 bytes");
        assertThatThrownBy(() -> Namespace.opaque("é".repeat(600))).hasMessageContaining("1200");
    }
}
