package dev.strake.serdes.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Any bytes are read as documents or one problem, quickly, and without other exceptions. */
class AnyBytesTest {

    private static final int CASES = Integer.getInteger("strake.fuzz.cases", 20_000);
    private static final long SEED = Long.getLong("strake.fuzz.seed", 20260131L);

    private static final List<String> SEEDS = List.of(
            "schema: example/Kind/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: a\n  labels: {k: 'v'}\ndata:\n  - &x {a: 0644}\n  - *x\n",
            "a: &x {k: 1, l: [1, 2]}\nb: *x\nc:\n  <<: [*x, {q: 1}]\n  m: 3\n---\n# c\n--- |\n  text\n   more\n",
            "s: >-\n  a\n  b\n\n  c\nq: 'it''s'\nd: \"x\\ty\\u00e9\\U0001F600\"\nn: [1_0.5, 0x1f, 1:30, .inf, ~, 1e3]\n",
            "%YAML 1.1\n%TAG ! a\n---\n? a\n: !!str b\n? [c]\n: !local d\n...\n",
            "{\"a\": [1, 2.50, -3e+7, true, null, \"\\ud83d\\ude00\"], \"b\": {\"c\": {}}}",
            "[{\"schema\": \"a/B/v1\"}, {\"x\": []}]");

    private static final String ALPHABET = "abc:-?#&*!|>'\"%@`{}[],\\/ \n\n\t\r01.~<=_eExu\u0000\u0085\u2028\uFEFFé";

    private final SplittableRandom random = new SplittableRandom(SEED);

    private int read;
    private int refused;

    @Test
    void shouldReadRandomBytesOrReportAProblem() {
        for (int i = 0; i < CASES; i++) {
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            check(bytes, i);
        }
        assertThat(refused).as("random bytes are hardly ever documents").isGreaterThan(read);
    }

    @Test
    void shouldReadMutatedTextsOrReportAProblem() {
        for (int i = 0; i < CASES; i++) {
            StringBuilder text = new StringBuilder(SEEDS.get(random.nextInt(SEEDS.size())));
            for (int mutation = random.nextInt(1, 6); mutation > 0; mutation--) {
                mutate(text);
            }
            check(text.toString().getBytes(StandardCharsets.UTF_8), i);
        }
        // Otherwise too many or too few texts would be valid to prove anything.
        assertThat(Math.min(read, refused)).isGreaterThan(CASES / 10);
    }

    private void mutate(StringBuilder text) {
        int place = random.nextInt(text.length() + 1);
        int other = random.nextInt(text.length() + 1);
        switch (random.nextInt(4)) {
            case 0 -> text.insert(place, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            case 1 -> text.delete(place, Math.min(text.length(), place + random.nextInt(4)));
            case 2 ->
                text.insert(
                        place,
                        text.substring(Math.min(place, other), Math.min(text.length(), Math.min(place, other) + 12)));
            default -> text.setLength(Math.max(1, place));
        }
    }

    /** A way to read a text. */
    private interface Reading {
        List<ReadDocument> read(DocumentReader reader, byte[] bytes) throws UnreadableTextException;
    }

    private void check(byte[] bytes, int number) {
        for (TextFormat format : TextFormat.values()) {
            check(bytes, number, format.name(), (reader, text) -> reader.readDocuments(text, format, "text"));
        }
        check(bytes, number, "first", (reader, text) -> List.of(reader.readFirst(text, Dialect.GO, "text")));
    }

    private void check(byte[] bytes, int number, String how, Reading reading) {
        try {
            for (ReadDocument document : reading.read(new DocumentReader(Limits.DEFAULT).rememberingLines(), bytes)) {
                byte[] json = JsonBytes.of(document.value());
                assertThat(JsonReader.read(json)).isEqualTo(document.value());
            }
            read++;
        } catch (UnreadableTextException e) {
            assertThat(e.problem().code()).isIn(ProblemCode.INVALID_YAML, ProblemCode.LIMIT_EXCEEDED);
            assertThat(e.problem().location().line()).isPositive();
            refused++;
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError(
                    "seed " + SEED + ", case " + number + ", " + how + ": " + new String(bytes, StandardCharsets.UTF_8),
                    e);
        }
    }
}
