package dev.strake.engine.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.MapValue;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents that substitute from one another, and the levels in which a change reaches them. */
class AffectedTest {

    private final TestWorkspace workspace = new TestWorkspace();

    private static MapValue document(String name, String... sources) {
        List<String> substitutions = Stream.of(sources)
                .map(source -> "{'src':{'schema':'t/A/v1','name':'" + source + "','path':'.x'},'dest':{'path':'."
                        + source + "'}}")
                .toList();
        return Json.map("{'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'" + name
                + "','storagePolicy':'cleartext','layeringDefinition':{'layer':'site'},'substitutions':" + substitutions
                + "},'data':{'x':1}}");
    }

    private static DocumentId id(String name) {
        return new DocumentId("t/A/v1", "site", name);
    }

    private Affected affected(String seed, MapValue... documents) {
        workspace.put("b", documents);
        return Affected.by(workspace.head().graph(), List.of(id(seed)), new ChangeEffort(10_000));
    }

    private List<List<String>> levels(String seed, MapValue... documents) {
        return affected(seed, documents).levels().stream()
                .map(level -> level.stream().map(DocumentId::name).sorted().toList())
                .toList();
    }

    @Test
    void shouldPutEachDocumentBehindTheLastOfItsSources() {
        assertThat(levels("a", document("a"), document("b", "a"), document("c", "a", "b"), document("d", "a")))
                .containsExactly(List.of("a"), List.of("b"), List.of("c", "d"));
    }

    @Test
    void shouldPutACircleIntoOneLevelBetweenItsSourcesAndItsDependents() {
        assertThat(levels(
                        "a",
                        document("a"),
                        document("b", "a", "d"),
                        document("c", "b"),
                        document("d", "c"),
                        document("e", "d")))
                .containsExactly(List.of("a"), List.of("b", "c", "d"), List.of("e"));
    }

    @Test
    void shouldTakeTheFirstOfTwoSourcesThatLeadAsNearToTheFirstMember() {
        Affected affected =
                affected("a", document("a", "d"), document("b", "a"), document("c", "a"), document("d", "c", "b"));

        Affected.Cycle cycle = affected.cycle(id("b"));

        assertThat(cycle.members()).extracting(DocumentId::name).containsExactly("a", "b", "c", "d");
        assertThat(cycle.way(9)).extracting(step -> step.on().name()).containsExactly("d", "c", "a");
    }
}
