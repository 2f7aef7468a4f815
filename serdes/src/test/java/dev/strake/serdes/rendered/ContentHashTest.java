package dev.strake.serdes.rendered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ContentHashTest {

    @Test
    void shouldBeTheSumThatAConsumerComputes() {
        // printf 'ws|a/B/v1|x\n{"k":1}' | sha256sum, and the same for the second record
        ContentHash first = ContentHash.EMPTY.plus(bytes("ws|a/B/v1|x"), bytes("{\"k\":1}"));
        ContentHash second = ContentHash.EMPTY.plus(bytes("ws|a/B/v1|y"), bytes("{}"));

        assertThat(first.hex()).isEqualTo("4f4d0482532c1f08d9dd3cc1b5061b8dccdeeb64323f42d8336dbe33fde3a36e");
        assertThat(second.hex()).isEqualTo("3c8a1d5b751d0dfc6fae8466102913728238fbcc07b1c148eb11c530e1a9ac9b");
        assertThat(first.plus(second).hex())
                .isEqualTo("8bd721ddc8492d05498bc127c52f2f004f17e73039f104211e7f8364df8d5009");
        assertThat(ContentHash.EMPTY.hex()).isEqualTo("0".repeat(64));
    }

    @Test
    void shouldHashOneValueAsSha256() {
        assertThat(ContentHash.ofValue(bytes("{\"k\":1}")))
                .isEqualTo("a0da1fce57d0e4f9f0ae4e4cbe040d34dcc046255c6c8d18e97f55aaed0655f0");
    }

    @Test
    void shouldAddAndSubtractModuloTwoToThe256() {
        BigInteger modulus = BigInteger.ONE.shiftLeft(256);
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < 20_000; i++) {
            ContentHash x = arbitrary(random);
            ContentHash y = arbitrary(random);

            assertThat(number(x.plus(y))).isEqualTo(number(x).add(number(y)).mod(modulus));
            assertThat(number(x.minus(y)))
                    .isEqualTo(number(x).subtract(number(y)).mod(modulus));
        }
    }

    @Test
    void shouldForgetARecordThatIsTakenOut() {
        ContentHash both = ContentHash.EMPTY.plus(bytes("a"), bytes("1")).plus(bytes("b"), bytes("2"));

        assertThat(both.minus(bytes("a"), bytes("1"))).isEqualTo(ContentHash.ofRecord(bytes("b"), bytes("2")));
        assertThat(both.minus(bytes("b"), bytes("2")).minus(bytes("a"), bytes("1")))
                .isEqualTo(ContentHash.EMPTY);
    }

    @Test
    void shouldSurviveItsBytes() {
        ContentHash hash = ContentHash.ofRecord(bytes("a"), bytes("1"));

        assertThat(ContentHash.of(hash.bytes())).isEqualTo(hash).hasSameHashCodeAs(hash);
        assertThatIllegalArgumentException().isThrownBy(() -> ContentHash.of(new byte[31]));
    }

    /** Numbers whose parts are often all ones or all zeros, where carries run far. */
    private static ContentHash arbitrary(SplittableRandom random) {
        byte[] bytes = new byte[32];
        for (int i = 0; i < bytes.length; i += 8) {
            int kind = random.nextInt(4);
            for (int j = i; j < i + 8; j++) {
                bytes[j] = (byte) (kind == 0 ? 0 : kind == 1 ? 0xFF : random.nextInt());
            }
        }
        return ContentHash.of(bytes);
    }

    private static BigInteger number(ContentHash hash) {
        return new BigInteger(1, hash.bytes());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
