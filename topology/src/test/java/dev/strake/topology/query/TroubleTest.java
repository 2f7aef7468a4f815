package dev.strake.topology.query;

import static dev.strake.topology.TopologyHarness.POLICY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.problem.ProblemCount;
import dev.strake.topology.TopologyHarness;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class TroubleTest {

    @AutoClose
    private final TopologyHarness strake = new TopologyHarness();

    @Test
    void shouldNameTheCauseAndNotItsConsequences() {
        strake.putBucket(POLICY + reading("a", "web") + reading("b", "web") + reading("web", "nobody"));
        Trouble trouble = trouble(1_000);
        assertThat(trouble.count()).isEqualTo(new ProblemCount(1, 2));
        assertThat(trouble.cause().map(Problem::document)).contains(id("web"));
        assertThat(trouble.cause().map(Problem::code)).contains(ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND);
    }

    @Test
    void shouldNameTheFirstOfSeveralCauses() {
        strake.putBucket(POLICY
                + reading("a", "web")
                + reading("second", "nobody")
                + reading("third", "nobody")
                + reading("web", "nobody"));
        assertThat(trouble(1_000).cause().map(Problem::document)).contains(id("second"));
    }

    @Test
    void shouldNameACauseBeyondTheProblemsRead() {
        String consequences =
                IntStream.range(0, 20).mapToObj(i -> reading("a" + i, "web")).collect(Collectors.joining());
        strake.putBucket(POLICY + consequences + reading("web", "nobody"));
        Trouble trouble = trouble(5);
        assertThat(trouble.count()).isEqualTo(new ProblemCount(0, 5));
        assertThat(trouble.cause().map(Problem::document)).contains(id("web"));
    }

    @Test
    void shouldNameAMemberOfACycle() {
        strake.putBucket(POLICY + reading("a", "c") + reading("b", "c") + reading("c", "b"));
        assertThat(trouble(1_000).cause().map(Problem::document)).contains(id("b"));
        assertThat(trouble(1).cause().map(Problem::document))
                .as("only what comes of the cycle was read")
                .isPresent()
                .get()
                .isIn(id("b"), id("c"));
    }

    @Test
    void shouldNameTheProblemOfTheRevisionFirst() {
        strake.putBucket(reading("web", "nobody"));
        Problem cause = trouble(1_000).cause().orElseThrow();
        assertThat(cause.code()).isEqualTo(ProblemCode.LAYERING_POLICY_NOT_FOUND);
        assertThat(cause.document()).isNull();
    }

    @Test
    void shouldNameNoCauseWithoutProblems() {
        strake.putBucket(POLICY);
        assertThat(List.of(trouble(1_000))).extracting(Trouble::count).containsExactly(new ProblemCount(0, 0));
        assertThat(trouble(1_000).cause()).isEmpty();
    }

    @Test
    void shouldListCausesBeforeTheirConsequences() {
        strake.putBucket(POLICY + reading("a", "web") + reading("second", "nobody") + reading("web", "nobody"));
        assertThat(problems()).extracting(Problem::document).containsExactly(id("second"), id("web"), id("a"));
    }

    @Test
    void shouldListTheProblemOfTheRevisionFirst() {
        strake.putBucket(reading("web", "nobody"));
        assertThat(problems().get(0).code()).isEqualTo(ProblemCode.LAYERING_POLICY_NOT_FOUND);
    }

    private List<Problem> problems() {
        return strake.queries().problems(TopologyHarness.WORKSPACE, 1, 1_000);
    }

    private Trouble trouble(int most) {
        return strake.queries().trouble(TopologyHarness.WORKSPACE, 1, most);
    }

    private static DocumentId id(String name) {
        return new DocumentId("example/Thing/v1", "site", name);
    }

    private static String reading(String name, String source) {
        return """
                ---
                schema: example/Thing/v1
                metadata:
                  schema: metadata/Document/v1
                  name: %s
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                  substitutions: [{src: {schema: example/Thing/v1, name: %s, path: .}, dest: {path: .x}}]
                data: {}
                """.formatted(name, source);
    }
}
