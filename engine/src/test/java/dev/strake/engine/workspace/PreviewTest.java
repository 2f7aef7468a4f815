package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.document.Document;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.render.Tracer;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Preview.Differing;
import dev.strake.engine.workspace.Preview.Differing.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Previews of changes in a small workspace. */
class PreviewTest {

    private static final MapValue ROOT = general("root", "{}");

    private final TestWorkspace workspace = new TestWorkspace();

    PreviewTest() {
        workspace.put("b", TestDocument.layers("global", "site"));
    }

    private static TestDocument document(String name) {
        return TestDocument.document("t/A/v1", name);
    }

    private static MapValue document(String name, String data) {
        return document(name).data(data);
    }

    private static MapValue general(String name, String data) {
        return document(name)
                .in("global")
                .isAbstract()
                .labels("{'name':'" + name + "'}")
                .data(data);
    }

    private static MapValue child(String name, String data) {
        return document(name).over("{'name':'parent'}").data(data);
    }

    private static MapValue broken(String name) {
        return document(name)
                .over("{'name':'root'}", "[{'method':'delete','path':'.no'}]")
                .data("{}");
    }

    private Preview preview(long mostBytes, MapValue... documents) {
        List<Document> read = Stream.of(documents).map(Document::ofValid).toList();
        Update update = workspace
                .head()
                .apply(
                        Plan.documentsPut(workspace.head().graph(), "b", read),
                        workspace,
                        Renderer.holdingRevisions(),
                        Tracer.NONE);
        Preview.Base base = new Preview.Base(workspace.head(), workspace, Preview.Held.NOTHING);
        return Preview.of(base, update, Redaction.CLEARTEXT, mostBytes);
    }

    @Test
    void shouldShowDifferencesIfConsumersHoldAnotherOrderOfKeys() {
        workspace.put("b", general("parent", "{'x':1}"), child("a", "{'y':2}"));
        Update update = workspace.put("b", general("parent", "{}"), child("a", "{'y':2,'x':1}"));
        assertThat(update.emissions()).isEmpty();
        assertThat(workspace.head().holdings().held().keySet()).isNotEmpty();

        Differing differing =
                preview(1_000, child("a", "{'y':3,'x':1}")).rendered().get(0);

        assertThat(differing.kind()).isEqualTo(Kind.MODIFIED);
        assertThat(differing.changes()).hasSize(1);
    }

    @Test
    void shouldMarkDocumentsThatAreSecretBeforeOrAfterTheChange() {
        workspace.put(
                "b",
                document("opens").encrypted().data("{'x':1}"),
                document("closes", "{'x':1}"),
                document("open", "{'x':1}"));

        List<Differing> rendered = preview(
                        1_000,
                        document("opens", "{'x':2}"),
                        document("closes").encrypted().data("{'x':2}"),
                        document("open", "{'x':2}"))
                .rendered();

        assertThat(rendered)
                .filteredOn(Differing::isSecret)
                .extracting(each -> each.key().name())
                .containsExactlyInAnyOrder("opens", "closes");
    }

    @Test
    void shouldListWaitingDifferencesWhenTheRevisionWouldFail() {
        workspace.put("b", ROOT, document("a", "{'x':1}"), document("b", "{'x':1}"), document("c", "{'x':1}"));

        Preview preview = preview(1_000, document("a", "{'x':2}"), broken("b"), document("new", "{}"));

        assertThat(preview.rendered()).as("consumers keep what they have").isEmpty();
        assertThat(preview.waiting()).extracting(each -> each.key().name()).containsExactly("a", "new");
        assertThat(preview.waiting()).extracting(Differing::kind).containsExactly(Kind.MODIFIED, Kind.CREATED);
        assertThat(preview.waiting().get(0).changes()).hasSize(1);
        assertThat(preview.appearing())
                .extracting(each -> each.document().name())
                .containsExactly("b");
        assertThat(preview.staying()).isEmpty();
    }

    @Test
    void shouldSeparateExistingProblemsFromNewOnes() {
        workspace.put("b", ROOT, document("a", "{'x':1}"), broken("old"));
        workspace.put("b", broken("mended"));

        Preview preview = preview(1_000, document("a", "{'x':2}"), document("mended", "{'x':1}"), broken("young"));

        assertThat(preview.staying()).extracting(each -> each.document().name()).containsExactly("old");
        assertThat(preview.appearing())
                .extracting(each -> each.document().name())
                .containsExactly("young");
        assertThat(preview.vanishing())
                .extracting(each -> each.document().name())
                .containsExactly("mended");
        assertThat(preview.waiting()).extracting(each -> each.key().name()).containsExactly("a", "mended");
        assertThat(preview(1_000, document("mended", "{}"), document("old", "{}"))
                        .waiting())
                .as("all would be published")
                .isEmpty();
    }

    @Test
    void shouldNotReportABrokenDocumentAsDeletedWhenTheRevisionWouldFail() {
        workspace.put("b", ROOT, document("a", "{'x':1}"), document("b", "{'x':1}"));
        workspace.put("b", broken("b"));

        Preview preview = preview(1_000, document("a").isAbstract().data("{'x':1}"));

        assertThat(preview.waiting()).extracting(each -> each.key().name()).containsExactly("a");
        assertThat(preview.waiting()).extracting(Differing::kind).containsExactly(Kind.DELETED);
    }
}
