package dev.strake.engine.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DigestTest {

    @Test
    void shouldBeTheSumThatAConsumerComputes() {
        // printf 'a/B/v1|x\n{"k":1}' | sha256sum, and the same for the second record
        Digest first = record("x", "{\"k\":1}");
        Digest second = record("y", "{}");
        assertThat(first).hasToString("c36ecacfc9838e34de7f7911bbdf94738698fa2d95d399cc2b705eacceb2754d");
        assertThat(second).hasToString("f36a2fb21a8997d7ec77842e05a47be2a319638a80340272114ee734395badcb");
        assertThat(first.plus(second)).hasToString("b6d8fa81e40d260ccaf6fd3fc184105629b25db816079c3e3cbf45e1080e2318");
        assertThat(Digest.ZERO).hasToString("0".repeat(64));
    }

    @Test
    void shouldSubtractARemovedRecord() {
        Digest first = record("x", "1");
        Digest second = record("y", "2");
        assertThat(first.plus(second).minus(first)).isEqualTo(second);
        assertThat(first.plus(second).minus(second).minus(first)).isEqualTo(Digest.ZERO);
    }

    @Test
    void shouldAddAndSubtractModuloTwoToThe256() {
        BigInteger modulus = BigInteger.ONE.shiftLeft(256);
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < 5_000; i++) {
            Digest x = arbitrary(random);
            Digest y = arbitrary(random);
            assertThat(number(x.plus(y))).isEqualTo(number(x).add(number(y)).mod(modulus));
            assertThat(number(x.minus(y)))
                    .isEqualTo(number(x).subtract(number(y)).mod(modulus));
            assertThat(Digest.ofBytes(x.bytes())).isEqualTo(x);
        }
    }

    /* Numbers whose parts are often all ones or all zeros, so that carries propagate far. */
    private static Digest arbitrary(SplittableRandom random) {
        long[] parts = new long[4];
        for (int i = 0; i < 4; i++) {
            int kind = random.nextInt(4);
            parts[i] = kind == 0 ? 0 : kind == 1 ? -1 : random.nextLong();
        }
        return new Digest(parts[0], parts[1], parts[2], parts[3]);
    }

    private static BigInteger number(Digest digest) {
        return new BigInteger(1, digest.bytes());
    }

    private static Digest record(String name, String value) {
        return Digest.of(new DocumentKey("a/B/v1", name), value.getBytes(StandardCharsets.UTF_8));
    }
}
