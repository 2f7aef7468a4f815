package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.POLICY;
import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.apply.RenderRules;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A change of any type that would take too much work is rejected as a whole, and the next change is applied. */
class ChangeEffortTest {

    private static final String PUT = "dev.strake.documents.put";
    private static final String DELETE_ALL = "dev.strake.workspace.delete";
    private static final String ROLLBACK = "dev.strake.revision.rollback";
    private static final int STEPS = 2_000;
    private static final int REVISIONS = 21;
    private static final int AT_ONCE = 50;

    @AutoClose
    private TopologyHarness strake;

    @BeforeEach
    void publishAsMuchAsMayBeAtATime() {
        RenderLimits all = RenderLimits.DEFAULT;
        RenderLimits limits = new RenderLimits(all.bytes(), all.depth(), all.padding(), all.effort(), STEPS);
        TopologySettings settings = TopologySettings.of(1);
        strake = new TopologyHarness(new TopologySettings(
                settings.topics(),
                settings.intake(),
                new RenderRules(false, limits),
                settings.cacheBytes(),
                settings.retention(),
                settings.secrets()));
        assertThat(strake.put(POLICY).status()).isEqualTo(OutcomeStatus.RENDERED);
        for (int i = 1; i < REVISIONS; i++) {
            assertThat(put(AT_ONCE * i, AT_ONCE).status()).isEqualTo(OutcomeStatus.RENDERED);
        }
    }

    private Outcome put(int from, int number) {
        String documents = IntStream.range(from, from + number)
                .mapToObj(i -> "schema: example/Thing/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: n" + i
                        + "\n  storagePolicy: cleartext\n  labels: {a: x, b: x}\n  layeringDefinition: {layer: site}\n"
                        + "data: {a: 1}\n")
                .collect(Collectors.joining("---\n"));
        return strake.put(documents);
    }

    private void assertRejected(String type, String body) {
        Map<String, Map<String, byte[]>> before = strake.dump();
        Map<String, byte[]> rendered = Map.copyOf(strake.rendered());

        Outcome outcome = strake.send(WORKSPACE, body, "ce_type", type);

        assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcome.revision()).isEqualTo(REVISIONS);
        Problem problem = outcome.problems().get(0);
        assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
        assertThat(problem.message()).contains("more than " + STEPS + " steps");
        assertThat(strake.lastRendered()).isEmpty();
        assertThat(strake.rendered()).isEqualTo(rendered);
        TopologyHarness.assertSameState(strake.dump(), before);
        assertTakesTheNextChange();
    }

    private void assertTakesTheNextChange() {
        Outcome next = put(0, 1);
        assertThat(next.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(next.revision()).isEqualTo(REVISIONS + 1);
        DocumentId first = new DocumentId("example/Thing/v1", "site", "n" + AT_ONCE);
        assertThat(strake.delete(WORKSPACE, "default", List.of(first)).status()).isEqualTo(OutcomeStatus.RENDERED);
    }

    @Test
    void shouldRejectDocumentsThatAreTooMuchWorkTogether() {
        String text = "x".repeat(8 * STEPS);
        assertRejected(PUT, """
                schema: example/Thing/v1
                metadata:
                  schema: metadata/Document/v1
                  name: large
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                data: {text: %s}
                """.formatted(text));
    }

    @Test
    void shouldKeepTheHistoryOfAWorkspaceThatIsTooLargeToDelete() {
        assertRejected(DELETE_ALL, null);

        strake.advance(Duration.ofSeconds(10));
        Outcome back = strake.send(ChangeType.ROLLBACK, "{revision: " + (REVISIONS - 1) + "}");
        assertThat(back.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(Whole.documents(strake.queries(), WORKSPACE, 2)).hasSize(1 + AT_ONCE);
    }

    @Test
    void shouldKeepTheHeadIfARollbackTakesTooMuch() {
        assertRejected(ROLLBACK, "{revision: 1}");

        Outcome back = strake.send(ChangeType.ROLLBACK, "{revision: " + REVISIONS + "}");
        assertThat(back.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(Whole.documents(strake.queries(), WORKSPACE, REVISIONS)).hasSize(1 + AT_ONCE * (REVISIONS - 1));
    }
}
