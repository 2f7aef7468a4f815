package dev.strake.serdes.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Workers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream that is read in pieces says what it says when it is read as a whole. */
class YamlPiecesTest {

    private static final int CASES = Integer.getInteger("strake.fuzz.cases", 20_000);
    private static final long SEED = Long.getLong("strake.fuzz.seed", 20261124L);

    /** What a line --- may stand in or beside, sound or not. */
    private static final List<String> PARTS = List.of(
            "a: 1\n",
            "- x\n- y\n",
            "text\n",
            "~\n",
            "",
            "# comment\n",
            "# ---\n",
            "k: |\n  one\n  ---\n  two\n",
            "k: |-\n  one\n\n\n",
            "k: >+\n  folded\n ---\n",
            "|\n --- \n",
            "k: 'one\n  ---\n  two'\n",
            "k: 'open\n",
            "two'\n",
            "k: \"open\n",
            "two\"\n",
            "k: plain\n  --- goes on\n",
            "[1,\n 2]\n",
            "{a: [\n",
            "]}\n",
            "{\"json\": [1, \"---\"]}\n",
            "a: &x {k: 1}\nb: *x\n",
            "b: *x\n",
            "<<: &x {q: 1}\n",
            "? - complex\n: v\n",
            "? key\n",
            "...\n",
            "... # end\n",
            "....\n",
            "---- a\n",
            "--- a\n",
            "--- |\n block\n",
            "--- {a: 1}\n",
            "---\t# tab\n",
            "---a: 1\n",
            " --- a\n",
            "\uFEFF--- a\n",
            "\uFEFF",
            "%YAML 1.1\n",
            "%TAG ! tag:x,2000:\n",
            "% no directive\n",
            "a:\tb\n",
            "\ta: b\n",
            "!!str\n",
            "!local x\n",
            "a: é\u2028b: 1\n",
            "a: \u0085b\n",
            "a: \uD83D\uDE00\n",
            "a: \u0001\n",
            "last: line");

    private static final List<String> SEPARATORS = List.of(
            "---\n", "---\n", "---\n", "---\n", "--- # c\n", "---\r\n", "---\r", "---\u2028", "---", "--- ", "\n---\n");

    private static final Workers MANY = new Workers() {
        @Override
        public <T, R> List<R> each(List<T> items, Function<T, R> work) {
            return items.parallelStream().map(work).toList();
        }
    };

    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void shouldReadAnyStreamInPiecesAsInOnePiece() {
        int inPieces = 0;
        int refused = 0;
        for (int i = 0; i < CASES; i++) {
            String text = text();
            // Once in a while so few that the stream, or only a piece of it, is beyond the limit.
            int most = random.nextInt(3) == 0 ? random.nextInt(1, 9) : 1_000;
            Limits limits = random.nextBoolean() ? limits(most, 1_000) : limits(1_000, 3 * most);
            boolean apart = random.nextBoolean();
            String what = "case %d of seed %d: %s".formatted(i, SEED, text);

            Tally tally = new Tally(limits);
            Tally whole = new Tally(limits);
            Optional<List<ReadDocument>> pieces = new YamlPieces("text", limits, apart, new Repeated())
                    .read(text, random.nextInt(1, 30), random.nextBoolean() ? MANY : Workers.ONE, tally);
            try {
                List<ReadDocument> documents = YamlText.read(text, "text", limits, apart, Lines.NONE, whole);
                pieces.ifPresent(read -> assertThat(read).as(what).isEqualTo(documents));
            } catch (UnreadableTextException e) {
                assertThat(pieces).as(what).isEmpty();
                refused++;
            }
            assertThat(tally)
                    .as(what)
                    .usingRecursiveComparison()
                    .ignoringFields("repeated")
                    .isEqualTo(pieces.isPresent() ? whole : new Tally(limits));
            inPieces += pieces.isPresent() ? 1 : 0;
        }
        // Otherwise the texts would be too wild, or too tame, to prove anything.
        assertThat(Math.min(inPieces, refused)).isGreaterThan(CASES / 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n"})
    void shouldReadALongFileInPiecesAndSayWhereEachDocumentIs(String lineEnd) throws UnreadableTextException {
        String text = "# how it begins\n" + stream(10_000) + "- [last, one]";
        byte[] bytes = text.replace("\n", lineEnd).getBytes(StandardCharsets.UTF_8);
        Limits limits = Limits.DEFAULT;
        List<Integer> asked = new ArrayList<>();
        Workers counting = new Workers() {
            @Override
            public <T, R> List<R> each(List<T> items, Function<T, R> work) {
                asked.add(items.size());
                return MANY.each(items, work);
            }
        };

        List<ReadDocument> read =
                new DocumentReader(limits).ofMany(counting).readDocuments(bytes, TextFormat.DETECTED, "site.yaml");

        assertThat(read).isEqualTo(new DocumentReader(limits).readDocuments(bytes, TextFormat.DETECTED, "site.yaml"));
        assertThat(read).hasSize(10_001);
        assertThat(read.get(9_999).location()).hasToString("site.yaml:" + (2 + 9_999 * 4) + ":1");
        assertThat(asked).singleElement().satisfies(pieces -> assertThat(pieces).isBetween(2, 20));
    }

    @Test
    void shouldSayOfAMistakeInAnyPieceWhatIsSaidOfItInAFileReadAsAWhole() {
        byte[] bytes = (stream(5_000) + "a: [1\n---\n" + stream(5_000)).getBytes(StandardCharsets.UTF_8);
        DocumentReader reader = new DocumentReader(Limits.DEFAULT);

        UnreadableTextException mistake = refusal(reader.ofMany(MANY), bytes);

        assertThat(mistake.problem()).isEqualTo(refusal(reader, bytes).problem());
        assertThat(mistake.problem().code()).isEqualTo(ProblemCode.INVALID_YAML);
        assertThat(mistake.problem().location().line()).isEqualTo(5_000 * 4 + 2);
    }

    private static UnreadableTextException refusal(DocumentReader reader, byte[] bytes) {
        try {
            throw new AssertionError(
                    reader.readDocuments(bytes, TextFormat.YAML, "site.yaml").size() + " were read");
        } catch (UnreadableTextException e) {
            return e;
        }
    }

    private static String stream(int documents) {
        StringBuilder text = new StringBuilder();
        IntStream.range(0, documents)
                .forEach(i -> text.append("name: document-%d\nlines: |\n   ---\n---\n".formatted(i)));
        return text.toString();
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int parts = random.nextInt(1, 12); parts > 0; parts--) {
            // Sound ones more often than the others, or hardly a stream would be sound.
            text.append(PARTS.get(random.nextInt(random.nextInt(4) == 0 ? PARTS.size() : 12)));
            if (random.nextInt(4) > 0) {
                text.append(SEPARATORS.get(random.nextInt(random.nextInt(4) == 0 ? SEPARATORS.size() : 4)));
            }
        }
        if (random.nextInt(4) == 0 && !text.isEmpty()) {
            text.deleteCharAt(random.nextInt(text.length()));
        }
        String lineEnd = random.nextInt(4) == 0 ? "\r\n" : "\n";
        return text.toString().replace("\n", lineEnd);
    }

    private static Limits limits(int documents, int nodes) {
        Limits usual = Limits.DEFAULT;
        return new Limits(
                usual.changeBytes(),
                usual.documentBytes(),
                usual.depth(),
                usual.aliases(),
                usual.nodes(),
                nodes,
                documents,
                usual.parts());
    }
}
