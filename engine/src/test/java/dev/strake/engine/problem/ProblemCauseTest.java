package dev.strake.engine.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProblemCauseTest {

    private static final DocumentId BROKEN = id("broken");
    private static final Problem PROBLEM =
            Problem.of(ProblemCode.MISSING_DOCUMENT_KEY, BROKEN, "there is no .x", "add it");

    @Test
    void shouldListACauseBeforeTheDocumentsThatWaitForIt() {
        Problem other = Problem.of(ProblemCode.MISSING_DOCUMENT_KEY, id("other"), "there is no .y", null);
        List<ProblemCause> causes =
                ProblemCause.of(List.of(waiting("a", BROKEN), PROBLEM, other, waiting("z", BROKEN)));
        assertThat(causes)
                .containsExactly(
                        new ProblemCause(PROBLEM, List.of(id("a"), id("z"))), new ProblemCause(other, List.of()));
        assertThat(causes.get(0).describeWaiting())
                .hasValue("and 2 documents wait for it: [a/B/v1, site, a], [a/B/v1, site, z]");
        assertThat(causes.get(1).describeWaiting()).isEmpty();
    }

    @Test
    void shouldCountWaitingDocumentsThatItDoesNotName() {
        List<Problem> problems = new ArrayList<>(List.of(PROBLEM));
        IntStream.range(0, 9).forEach(i -> problems.add(waiting("d" + i, BROKEN)));
        assertThat(ProblemCause.of(problems)).singleElement().satisfies(cause -> {
            assertThat(cause.waiting()).hasSize(9);
            assertThat(cause.describeWaiting().orElseThrow())
                    .startsWith("and 9 documents wait for it: [a/B/v1, site, d0]")
                    .endsWith("[a/B/v1, site, d4] and 4 more");
            assertThat(cause.describeWaiting(true).orElseThrow())
                    .startsWith("and 9 or more documents wait for it: [a/B/v1, site, d0]")
                    .endsWith("[a/B/v1, site, d4] and others");
        });
    }

    @Test
    void shouldListAProblemWithoutItsCause() {
        assertThat(ProblemCause.of(List.of(waiting("a", BROKEN))))
                .containsExactly(new ProblemCause(waiting("a", BROKEN), List.of()));
        Problem ofAnotherKind =
                Problem.of(ProblemCode.OPERATION_FAILED, id("a"), "fails", null).relatedTo(List.of(BROKEN));
        assertThat(ProblemCause.of(List.of(PROBLEM, ofAnotherKind))).hasSize(2);
    }

    @Test
    void shouldListACycleOnceWithAllDocumentsThatWaitForIt() {
        List<DocumentId> members = List.of(id("a"), id("b"));
        Problem first = cycle("a", members);
        Problem second = cycle("b", members).at(".data");
        Problem after = Problem.of(ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE, id("c"), "depends on a", null)
                .relatedTo(List.of(id("a")));
        List<Problem> all = List.of(first, second, after);
        assertThat(ProblemCause.of(all)).containsExactly(new ProblemCause(second, List.of(id("a"), id("c"))));
        assertThat(ProblemCause.once(all)).containsExactly(second, after);
        assertThat(count(all)).isEqualTo(new ProblemCount(1, 2));
    }

    @Test
    void shouldCountProblemsApartFromDocumentsThatWaitForThem() {
        List<Problem> all = List.of(PROBLEM, waiting("a", BROKEN), waiting("z", BROKEN));
        assertThat(count(all).describe()).isEqualTo("1 problem, 2 documents wait for it");
        assertThat(count(List.of(PROBLEM)).describe()).isEqualTo("1 problem");
        assertThat(new ProblemCount(2, 1).describe()).isEqualTo("2 problems, 1 document waits for them");
        assertThat(ProblemCount.of(all.subList(1, 2), ProblemCause.among(all)).describe())
                .as("for one that is not counted")
                .isEqualTo("1 document waits for a problem");
    }

    private static ProblemCount count(List<Problem> problems) {
        return ProblemCount.of(problems, ProblemCause.among(problems));
    }

    private static Problem cycle(String name, List<DocumentId> members) {
        return Problem.of(ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE, id(name), "is one of two", null)
                .relatedTo(members);
    }

    private static Problem waiting(String name, DocumentId on) {
        return Problem.of(ProblemCode.MISSING_DOCUMENT_KEY, id(name), "depends on it", "see its problem")
                .relatedTo(List.of(on));
    }

    private static DocumentId id(String name) {
        return new DocumentId("a/B/v1", "site", name);
    }
}
