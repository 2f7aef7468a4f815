package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.KubernetesObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Recorded answers of RFC 7386, kubectl and razeedeploy-core: a few from the test resources, and the whole corpus.
 * The lines of a corpus file are valid requests, so one run of the command answers a whole file.
 */
class MergeCorpusTest {

    private static final Path CORPUS =
            Path.of(System.getProperty("strake.corpus", "../../shared/corpus"), "merge-modes");

    /** Failures that Strake avoids; see docs/razee-compatibility.md. */
    private static final String NEEDLESS_FAILURE = "Cannot create property ";

    @ParameterizedTest
    @CsvSource({"rfc7386.jsonl, 0", "strategic.jsonl, 1", "razee.jsonl, 1"})
    void shouldAnswerAFewQuestionsAsRecorded(String file, int code) throws Exception {
        assertAnswers(
                Path.of(MergeCorpusTest.class
                        .getResource("/merge-modes/" + file)
                        .toURI()),
                code);
    }

    @ParameterizedTest
    @CsvSource({"rfc7386.jsonl, 0", "strategic.jsonl, 1", "razee.jsonl, 1"})
    void shouldAnswerAWholeFileAsRecorded(String file, int code) throws IOException {
        Path questions = CORPUS.resolve(file);
        Assumptions.assumeTrue(
                Files.exists(questions),
                "no recorded answers without the corpus: -Dstrake.corpus=DIR says where it is");
        assertAnswers(questions, code);
    }

    private static void assertAnswers(Path questions, int code) throws IOException {
        List<String> answers = StrakeCommand.run(code, "merge", "--requests", questions.toString())
                .lines()
                .toList();
        List<String> recorded = Files.readAllLines(questions);
        assertThat(answers).hasSameSizeAs(recorded);
        for (int i = 0; i < answers.size(); i++) {
            MapValue question = (MapValue) JsonReader.read(recorded.get(i));
            assertAnswer(
                    (MapValue) question.get("expect"), (MapValue) JsonReader.read(answers.get(i)), question.get("id"));
        }
    }

    private static void assertAnswer(MapValue expected, MapValue answer, Value id) {
        String name = ((Text) id).value();
        assertThat(answer.get("id")).as(name).isEqualTo(id);
        if (expected.get("error") instanceof MapValue error) {
            if (((Text) error.get("message")).value().startsWith(NEEDLESS_FAILURE)) {
                assertThat(answer.has("object")).as(name).isTrue();
                return;
            }
            MapValue failure = (MapValue) answer.get("error");
            String common = error.has("kind") ? "kind" : "status";
            assertThat(failure.get(common)).as(name).isEqualTo(error.get(common));
            assertThat(answer.has("object") || answer.has("action")).as(name).isFalse();
        } else {
            assertThat(answer.has("error")).as(name).isFalse();
        }
        for (String member : List.of("object", "action", "request")) {
            assertThat(comparable(answer.get(member)))
                    .as(name + " " + member)
                    .isEqualTo(comparable(expected.get(member)));
        }
    }

    /* Compares numbers by value, and JSON in annotations by content. */
    private static Value comparable(Value value) {
        if (value instanceof MapValue map) {
            return map.withEach((key, item) -> comparable(parsed(key, item)));
        }
        if (value instanceof ListValue list) {
            return list.withEach((i, item) -> comparable(item));
        }
        return value instanceof Num num
                ? new Text("number " + num.decimal().stripTrailingZeros().toPlainString())
                : value;
    }

    private static Value parsed(String key, Value value) {
        boolean isJson = key.equals(KubernetesObject.LAST_APPLIED) || key.equals(KubernetesObject.PENDING);
        return isJson && value instanceof Text text && text.value().startsWith("{")
                ? JsonReader.read(text.value())
                : value;
    }
}
