package dev.strake.serdes.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCause;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.problem.ProblemCount;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.Note;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutcomeJsonTest {

    private static final Problem FULL = new Problem(
            ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND,
            "there is no such document",
            new DocumentId("a/B/v1", "site", "x"),
            ".metadata.substitutions[0].src",
            List.of(new DocumentId("a/C/v1", "", "y")),
            "publish it",
            new Location("change", 7));

    @Test
    void shouldWriteTheJsonOfTheContract() {
        Outcome outcome = new Outcome(
                "site-a",
                new Outcome.Change(
                        "id-1",
                        "dev.strake.bucket.put",
                        "global",
                        "strake.document-changes-3@1742",
                        Carried.NOTHING,
                        Note.NONE),
                OutcomeStatus.RENDERED,
                new Outcome.Result(
                        12L,
                        new Outcome.Documents(412, 1, 0, 0),
                        new Outcome.Work(4, 3, 2, 0),
                        new Outcome.Published(12L, 398, "00ff")),
                new Outcome.Findings(List.of(), List.of()),
                Instant.parse("2026-01-31T12:00:00Z"),
                null);

        assertThat(new String(OutcomeJson.write(outcome), StandardCharsets.UTF_8))
                .isEqualTo("{\"workspace\":\"site-a\",\"changeId\":\"id-1\",\"type\":\"dev.strake.bucket.put\","
                        + "\"bucket\":\"global\",\"status\":\"rendered\",\"revision\":12,\"renderedRevision\":12,"
                        + "\"documents\":{\"total\":412,\"added\":1,\"changed\":0,\"removed\":0},"
                        + "\"affected\":4,\"evaluated\":3,\"emitted\":2,\"removed\":0,\"rendered\":398,"
                        + "\"contentHash\":\"00ff\",\"problems\":[],\"warnings\":[],"
                        + "\"input\":\"strake.document-changes-3@1742\",\"time\":\"2026-01-31T12:00:00Z\"}");
        assertThat(OutcomeJson.read(OutcomeJson.write(outcome))).isEqualTo(outcome);
    }

    @Test
    void shouldTellCausesFromProblemsThatWaitForThem() {
        Problem waiting = Problem.of(FULL.code(), new DocumentId("a/D/v1", "", "z"), "depends on x", null)
                .relatedTo(List.of(FULL.document()));
        List<Value> problems =
                ProblemJson.writeWithCauses(List.of(FULL, waiting)).items();

        assertThat(((MapValue) problems.get(0)).has("waitsFor")).isFalse();
        assertThat(((MapValue) problems.get(1)).get("waitsFor")).isEqualTo(ProblemJson.write(FULL.document()));
        assertThat(ProblemJson.readCauses(problems))
                .containsExactly(new ProblemCause(FULL, List.of(waiting.document())));
        assertThat(ProblemJson.readCauses(problems.subList(1, 2)))
                .as("what it waits for is not told")
                .containsExactly(new ProblemCause(waiting, List.of()));
        assertThat(ProblemJson.count(problems)).isEqualTo(new ProblemCount(1, 1));
    }

    @Test
    void shouldWriteTheOutcomeThatADryRunPredicts() {
        Outcome outcome = new Outcome(
                "site-a",
                new Outcome.Change("id-1", "dev.strake.bucket.put", "global", "t-0@0", Carried.NOTHING, Note.NONE),
                OutcomeStatus.PLANNED,
                new Outcome.Result(
                        12L,
                        new Outcome.Documents(412, 1, 0, 0),
                        new Outcome.Work(4, 3, 2, 0),
                        new Outcome.Published(12L, 398, "00ff")),
                new Outcome.Findings(List.of(), List.of()),
                Instant.EPOCH,
                new Outcome.Planned(OutcomeStatus.PARTIAL, null));

        assertThat(new String(OutcomeJson.write(outcome), StandardCharsets.UTF_8))
                .contains("\"status\":\"planned\",\"wouldBe\":\"partial\",\"revision\":12,");
        assertThat(OutcomeJson.read(OutcomeJson.write(outcome))).isEqualTo(outcome);
    }

    @Test
    void shouldWriteNullOmitAbsentFieldsAndKeepCarriedHeaders() {
        Outcome outcome = new Outcome(
                "site-a",
                new Outcome.Change(
                        "id-1",
                        "dev.strake.revision.rollback",
                        null,
                        "t-0@0",
                        new Carried("git", "yesterday", "00-1"),
                        new Note("ada", "back to 3")),
                OutcomeStatus.REJECTED,
                new Outcome.Result(
                        null, Outcome.Documents.NONE, Outcome.Work.NONE, new Outcome.Published(null, 0, null)),
                new Outcome.Findings(List.of(FULL), List.of(Problem.of(ProblemCode.PARENT_NOT_FOUND, "m", null))),
                Instant.ofEpochMilli(1),
                null);

        assertThat(new String(OutcomeJson.write(outcome), StandardCharsets.UTF_8))
                .isEqualTo("{\"workspace\":\"site-a\",\"changeId\":\"id-1\",\"type\":\"dev.strake.revision.rollback\","
                        + "\"status\":\"rejected\",\"revision\":null,\"renderedRevision\":null,"
                        + "\"documents\":{\"total\":0,\"added\":0,\"changed\":0,\"removed\":0},"
                        + "\"affected\":0,\"evaluated\":0,\"emitted\":0,\"removed\":0,\"rendered\":0,\"contentHash\":null,"
                        + "\"problems\":[{\"code\":\"SubstitutionSourceNotFound\",\"message\":\"there is no such document\","
                        + "\"document\":{\"schema\":\"a/B/v1\",\"layer\":\"site\",\"name\":\"x\"},"
                        + "\"path\":\".metadata.substitutions[0].src\","
                        + "\"related\":[{\"schema\":\"a/C/v1\",\"layer\":null,\"name\":\"y\"}],\"hint\":\"publish it\","
                        + "\"location\":{\"source\":\"change\",\"line\":7}}],"
                        + "\"warnings\":[{\"code\":\"ParentNotFound\",\"message\":\"m\",\"document\":null,\"path\":null,"
                        + "\"related\":[],\"hint\":null}],"
                        + "\"input\":\"t-0@0\",\"time\":\"1970-01-01T00:00:00.001Z\","
                        + "\"source\":\"git\",\"changeTime\":\"yesterday\",\"traceparent\":\"00-1\","
                        + "\"author\":\"ada\",\"message\":\"back to 3\"}");
        assertThat(OutcomeJson.read(OutcomeJson.write(outcome))).isEqualTo(outcome);
    }

    @Test
    void shouldReadProblemsWithUnknownFields() {
        byte[] json = "{\"new\":1,\"code\":\"InvalidYaml\",\"message\":\"m\",\"related\":[]}"
                .getBytes(StandardCharsets.UTF_8);

        assertThat(ProblemJson.read(JsonReader.read(json))).isEqualTo(Problem.of(ProblemCode.INVALID_YAML, "m", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{}", "1", "{\"workspace\":1}", "{\"workspace\":\"a\",\"documents\":[]}"})
    void shouldNotReadInvalidOutcomes(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> OutcomeJson.read(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void shouldKnowEveryStatusByItsText() {
        for (OutcomeStatus status : OutcomeStatus.values()) {
            assertThat(OutcomeStatus.of(status.text())).isEqualTo(status);
        }
        assertThat(OutcomeStatus.PARTIAL.text()).isEqualTo("partial");
        assertThatIllegalArgumentException().isThrownBy(() -> OutcomeStatus.of("Rendered"));
    }
}
