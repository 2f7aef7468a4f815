package dev.strake.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.Place;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients may ask about any documents: cyclic ones, and ones that exceed all limits. */
class QuestionsAreBoundedTest {

    private static final DocumentId ONE = new DocumentId("t/A/v1", "site", "one");

    private final TestWorkspace workspace = new TestWorkspace();

    @BeforeEach
    void publish() {
        workspace.put(
                "b",
                TestDocument.layers("site"),
                document("one").taking("t/A/v1", "two", ".", ".b").data("{'a':'x'}"),
                document("two").taking("t/A/v1", "one", ".", ".").data("{'a':'x'}"),
                document("three").taking("t/A/v1", "four", ".a", ".b").data("{'a':'x'}"),
                document("four").data("{'a':'x'}"));
    }

    private static TestDocument document(String name) {
        return TestDocument.document("t/A/v1", name);
    }

    /* Each round through the cycle nests the value one level deeper. */
    @Test
    void shouldStopFollowingACycle() {
        Dependents dependents = Dependents.of(
                workspace.head().graph(),
                workspace,
                ONE,
                Place.ROOT.at("a"),
                Integer.MAX_VALUE,
                new ChangeEffort(10_000_000));

        assertThat(dependents.found())
                .extracting(each -> each.document().name())
                .containsExactly("two");
        assertThat(dependents.isComplete()).isTrue();
    }

    @Test
    void shouldStopAtTheLimitOfWork() {
        assertThatThrownBy(() -> Dependents.of(
                        workspace.head().graph(), workspace, ONE, Place.ROOT, Integer.MAX_VALUE, new ChangeEffort(10)))
                .isInstanceOf(ChangeEffort.ExceededException.class);
        Explainer explainer = new Explainer(workspace.head().graph(), workspace, new ChangeEffort(1), bytes -> {});
        assertThatThrownBy(() -> explainer.leaves(new DocumentId("t/A/v1", "site", "three"), Place.ROOT, 10))
                .isInstanceOf(ChangeEffort.ExceededException.class);
    }

    @Test
    void shouldReportBytesBeforeAllocatingThem() {
        Explainer explainer =
                new Explainer(workspace.head().graph(), workspace, new ChangeEffort(Long.MAX_VALUE), bytes -> {
                    throw new IllegalArgumentException("no room for " + bytes);
                });
        assertThatThrownBy(() -> explainer.leaves(new DocumentId("t/A/v1", "site", "three"), Place.ROOT, 10))
                .hasMessageContaining("no room for");
    }
}
