package dev.strake.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.MapValue;
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
                Json.map(
                        "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},"
                                + "'data':{'layerOrder':['site']}}"),
                document("one", "two", ".", ".b"),
                document("two", "one", ".", "."),
                document("three", "four", ".a", ".b"),
                document("four", "", "", ""));
    }

    private static MapValue document(String name, String source, String from, String to) {
        String substitutions = source.isEmpty()
                ? ""
                : ",'substitutions':[{'src':{'schema':'t/A/v1','name':'" + source + "','path':'" + from
                        + "'},'dest':{'path':'" + to + "'}}]";
        return Json.map("{'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'" + name
                + "','storagePolicy':'cleartext','layeringDefinition':{'layer':'site'}" + substitutions
                + "},'data':{'a':'x'}}");
    }

    /* Each round through the cycle nests the value one level deeper. */
    @Test
    void shouldComeOutOfACircle() {
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
    void shouldEndWhereThereIsTooMuchWork() {
        assertThatThrownBy(() -> Dependents.of(
                        workspace.head().graph(), workspace, ONE, Place.ROOT, Integer.MAX_VALUE, new ChangeEffort(10)))
                .isInstanceOf(ChangeEffort.ExceededException.class);
        Explainer explainer = new Explainer(workspace.head().graph(), workspace, new ChangeEffort(1), bytes -> {});
        assertThatThrownBy(() -> explainer.leaves(new DocumentId("t/A/v1", "site", "three"), Place.ROOT, 10))
                .isInstanceOf(ChangeEffort.ExceededException.class);
    }

    @Test
    void shouldTellOfBytesBeforeTheyAreTaken() {
        Explainer explainer =
                new Explainer(workspace.head().graph(), workspace, new ChangeEffort(Long.MAX_VALUE), bytes -> {
                    throw new IllegalArgumentException("no room for " + bytes);
                });
        assertThatThrownBy(() -> explainer.leaves(new DocumentId("t/A/v1", "site", "three"), Place.ROOT, 10))
                .hasMessageContaining("no room for");
    }
}
