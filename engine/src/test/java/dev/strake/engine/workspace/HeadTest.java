package dev.strake.engine.workspace;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.document.MissingKey;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A layer graph read from a store: if a parent would be hard to find again, the store contains it. */
class HeadTest {

    private static final int MANY = 300;
    private static final MapValue LAYERS = TestDocument.layers("upper", "lower");

    private final TestWorkspace workspace = new TestWorkspace();
    private final Set<String> asked = new TreeSet<>();

    /* Many documents have the label x; only one of them does not have y. */
    private void publish(MapValue... children) {
        List<MapValue> documents = new ArrayList<>(List.of(LAYERS, upper("only", "'x':'1'")));
        IntStream.range(0, MANY).forEach(i -> documents.add(upper("one" + i, "'x':'1','y':'1'")));
        documents.addAll(List.of(children));
        workspace.putBucket("b", documents);
    }

    private static MapValue upper(String name, String labels) {
        return document("t/A/v1", name).in("upper").labels("{" + labels + "}").data("{}");
    }

    private static MapValue selecting(String layer, String name, String selector) {
        return document("t/A/v1", name).in(layer).over("{" + selector + "}").data("{}");
    }

    private List<Head> heads() {
        Graph graph = workspace.head().graph();
        return graph.documents().stream()
                .map(id -> new Head(graph.facts(id), workspace.head().evaluation(id)))
                .toList();
    }

    private DocumentId parent(DocumentId id) {
        asked.add(id.name());
        return workspace.head().graph().parent(id);
    }

    private void shouldBeDecidedAsBefore(Graph opened) {
        for (DocumentId id : workspace.head().graph().documents()) {
            assertThat(opened.node(id).decision())
                    .as("%s", id)
                    .isEqualTo(workspace.head().graph().node(id).decision());
        }
    }

    @Test
    void shouldReadTheStoredParentWhenManyDocumentsWouldBeScanned() {
        publish(
                selecting("lower", "found", "'x':'1','y':null"),
                selecting("lower", "too-many", "'x':'1','v':null"),
                selecting("upper", "same-layer", "'x':'1','w':null"),
                selecting("lower", "nobody", "'x':'1','y':'2'"),
                selecting("lower", "with-its-family", "'x':'1'"));

        Graph opened = Head.graph(heads(), this::parent);

        shouldBeDecidedAsBefore(opened);
        assertThat(asked).containsExactly("found", "same-layer", "too-many", "with-its-family");
        assertThat(opened.parent(id("lower", "found"))).isEqualTo(id("upper", "only"));
        assertThat(problem(opened, "upper", "same-layer")).isEqualTo(ProblemCode.INVALID_DOCUMENT_PARENT);
        assertThat(problem(opened, "lower", "too-many")).isEqualTo(ProblemCode.INDETERMINATE_DOCUMENT_PARENT);
    }

    private static DocumentId id(String layer, String name) {
        return new DocumentId("t/A/v1", layer, name);
    }

    private static ProblemCode problem(Graph graph, String layer, String name) {
        return graph.node(id(layer, name)).decision().problem().code();
    }

    @Test
    void shouldResolveTheParentAgainWhenTheStoreHasNone() {
        publish(selecting("lower", "found", "'x':'1','y':null"), selecting("lower", "too-many", "'x':'1','v':null"));
        List<Head> without = heads().stream()
                .map(head -> new Head(
                        head.facts(),
                        new Evaluation.Unready(
                                new MissingKey("k").problemOfHashes(head.facts().id()), 1)))
                .toList();

        shouldBeDecidedAsBefore(Head.graph(heads(), id -> id("upper", "gone")));
        shouldBeDecidedAsBefore(Head.graph(without, id -> null));
    }

    /* Each of 60,000 selectors matches 60,000 documents: comparing all again would take over five minutes. */
    @Test
    void shouldOpenAWorkspaceWithoutComparingEachSelectorWithEachDocument() throws DocumentFormatException {
        int many = 60_000;
        List<Head> heads = new ArrayList<>();
        heads.add(head(LAYERS, null));
        for (int i = 0; i < many; i++) {
            heads.add(head(upper("one" + i, "'x':'1'"), null));
            heads.add(head(
                    selecting("lower", "child" + i, "'x':'1','y" + i + "':null"),
                    ProblemCode.INDETERMINATE_DOCUMENT_PARENT));
        }
        Function<DocumentId, DocumentId> none = id -> null;

        Graph opened = Head.graph(heads, none);

        assertThat(problem(opened, "lower", "child59999")).isEqualTo(ProblemCode.INDETERMINATE_DOCUMENT_PARENT);
    }

    /* Each of 4,000 secrets made 50,000 documents secret, one after the other, which took about a minute. */
    @Test
    void shouldScanTheTargetsOfManyEncryptedOperationsOnce() throws DocumentFormatException {
        List<Head> heads = new ArrayList<>();
        heads.add(head(LAYERS, null));
        for (int i = 0; i < 50_000; i++) {
            heads.add(head(upper("one" + i, i == 7 ? "" : "'x':'1'"), null));
        }
        for (int i = 0; i < 4_000; i++) {
            MapValue operations = document("strake/Operations/v1", "o" + i)
                    .in("upper")
                    .encrypted()
                    .data("{'target':{'schema':'t/A/v1','labels':{'x':'1'}},"
                            + "'operations':[{'type':'remove','path':'/a?'}]}");
            heads.add(head(operations, null));
        }

        Graph opened = Head.graph(heads, id -> null);

        assertThat(opened.secretDocuments()).hasSize(4_000 + 49_999);
        assertThat(opened.isSecret(id("upper", "one7"))).isFalse();
    }

    private static Head head(MapValue tree, ProblemCode problem) throws DocumentFormatException {
        Facts facts = Facts.of(Document.of(tree), "b");
        return new Head(
                facts,
                new Evaluation.Unready(
                        problem == null ? null : Problem.of(problem, facts.id(), "too many", "fewer"), 1));
    }
}
