package dev.strake.engine.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.strake.engine.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTest {

    private static final String[] TEXTS = {
        "",
        "plain",
        "\"quoted\"",
        "back\\slash",
        "tab\tnew\nline\r\b\f",
        "\u0000\u001f\u007f",
        "größe",
        "名前",
        "😀",
        "\ud800half",
        "half\udc00"
    };

    /** Earlier texts are valid Unicode; JSON parsers may reject a key with half a surrogate pair. */
    private static final int WHOLE = TEXTS.length - 2;

    @RepeatedTest(200)
    void shouldComputeItsLengthAsJsonWithoutWriting(RepetitionInfo repetition) {
        Value value = random(new SplittableRandom(repetition.getCurrentRepetition()), 5);
        byte[] json = JsonBytes.of(value);
        assertThat(value.weight()).isEqualTo(json.length);
        assertThat(JsonBytes.sorted(value)).hasSameSizeAs(json);
        assertThat(Json.value(new String(json, StandardCharsets.UTF_8))).isEqualTo(value);
    }

    @RepeatedTest(100)
    void shouldEqualAndHashWithoutRegardToKeyOrder(RepetitionInfo repetition) {
        long seed = repetition.getCurrentRepetition();
        Value value = random(new SplittableRandom(seed), 5);
        Value other = shuffled(value, new Random(seed));
        assertThat(other).isEqualTo(value).hasSameHashCodeAs(value);
        assertThat(other.fingerprint()).isEqualTo(value.fingerprint());
        assertThat(JsonBytes.sorted(other)).isEqualTo(JsonBytes.sorted(value));
        assertThat(other.depth()).isEqualTo(value.depth());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1.0", "true", "'1'", "null", "{}", "[]", "''", "0", "false", "1e0", "{'a':1}", "[1]"})
    void shouldDifferFromEveryOtherFormAndKind(String json) {
        Value value = Json.value(json);
        for (String other :
                List.of("1", "1.0", "true", "'1'", "null", "{}", "[]", "''", "0", "false", "1e0", "{'a':1}", "[1]")) {
            assertThat(Json.value(other).equals(value))
                    .as(json + " and " + other)
                    .isEqualTo(other.equals(json));
            assertThat(Json.value(other).fingerprint().equals(value.fingerprint()))
                    .isEqualTo(other.equals(json));
        }
    }

    @Test
    void shouldMergeMapsDeeplyAndReplaceEverythingElse() {
        MapValue under = Json.map("{'m':{'a':1,'b':{'c':2}},'l':[1,2],'n':1,'k':{'x':1}}");
        MapValue over = Json.map("{'m':{'b':{'d':3}},'l':[3],'n':null,'k':'text','new':{}}");
        assertThat(Json.text(under.mergedWith(over, units -> {})))
                .isEqualTo("{\"m\":{\"a\":1,\"b\":{\"c\":2,\"d\":3}},\"l\":[3],\"n\":null,\"k\":\"text\",\"new\":{}}");
        assertThat(Json.text(under.updatedWith(over)))
                .isEqualTo("{\"m\":{\"b\":{\"d\":3}},\"l\":[3],\"n\":null,\"k\":\"text\",\"new\":{}}");
    }

    @Test
    void shouldShareValuesThatAMergeDoesNotTouch() {
        MapValue under = Json.map("{'touched':{'a':1,'kept':{'x':1}},'kept':{'y':[1,2]}}");
        MapValue merged = under.mergedWith(Json.map("{'touched':{'a':2}}"), units -> {});
        assertThat(merged.get("kept")).isSameAs(under.get("kept"));
        assertThat(((MapValue) merged.get("touched")).get("kept"))
                .isSameAs(((MapValue) under.get("touched")).get("kept"));
        assertThat(under.mergedWith(MapValue.EMPTY, units -> {})).isSameAs(under);
        assertThat(under.without("absent")).isSameAs(under);
        assertThat(under.with("kept", under.get("kept"))).isSameAs(under);
    }

    @Test
    void shouldKeepNumbersAsTheyAreWritten() {
        for (String literal : List.of("0", "-0", "1.0", "1.50", "1E5", "1e+400", "123456789012345678901234567890")) {
            assertThat(Json.text(Num.ofLiteral(literal))).isEqualTo(literal);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "01", "+1", ".5", "1.", "1e", "NaN", "Infinity", "0x1", "1_000", " 1"})
    void shouldRejectInvalidJsonNumbers(String literal) {
        assertThatIllegalArgumentException().isThrownBy(() -> Num.ofLiteral(literal));
    }

    @Test
    void shouldReadIntegersOfAnyLengthAsTheNearestInt() {
        String digits = "9".repeat(1_000_000);
        assertThat(Num.ofLiteral(digits).nearestInt()).isEqualTo(Integer.MAX_VALUE);
        assertThat(Num.ofLiteral("-" + digits).nearestInt()).isEqualTo(Integer.MIN_VALUE);
        assertThat(Num.of(1L + Integer.MAX_VALUE).nearestInt()).isEqualTo(Integer.MAX_VALUE);
        assertThat(Num.of(Integer.MIN_VALUE - 1L).nearestInt()).isEqualTo(Integer.MIN_VALUE);
        assertThat(Num.of(Long.MAX_VALUE).nearestInt()).isEqualTo(Integer.MAX_VALUE);
        assertThat(Num.of(-7).nearestInt()).isEqualTo(-7);
        assertThat(Num.ofLiteral("999999999999999999").nearestInt()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void shouldComputeHugeWeightsWithoutOverflow() {
        Value value = new Text("x");
        for (int i = 0; i < 100; i++) {
            value = ListValue.of(value, value);
        }
        assertThat(value.weight()).isGreaterThan(1L << 40);
        assertThat(value.depth()).isEqualTo(100);
    }

    private static Value random(RandomGenerator random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 7)) {
            case 0 -> new Text(TEXTS[random.nextInt(TEXTS.length)]);
            case 1 -> Num.ofLiteral(random.nextBoolean() ? Long.toString(random.nextLong()) : "-1.5e+7");
            case 2 -> Bool.of(random.nextBoolean());
            case 3 -> Null.NULL;
            case 4 ->
                ListValue.of(Stream.generate(() -> random(random, depth - 1))
                        .limit(random.nextInt(5))
                        .toList());
            default -> {
                MapValue.Builder map = MapValue.builder();
                for (int i = random.nextInt(14); i > 0; i--) {
                    map.put(TEXTS[random.nextInt(WHOLE)] + random.nextInt(9), random(random, depth / 2));
                }
                yield map.build();
            }
        };
    }

    private static Value shuffled(Value value, Random random) {
        if (value instanceof MapValue map) {
            List<String> keys = new ArrayList<>(map.keys());
            Collections.shuffle(keys, random);
            MapValue.Builder result = MapValue.builder();
            keys.forEach(key -> result.put(key, shuffled(map.get(key), random)));
            return result.build();
        }
        return value instanceof ListValue list
                ? ListValue.of(list.items().stream()
                        .map(item -> shuffled(item, random))
                        .toList())
                : value;
    }
}
