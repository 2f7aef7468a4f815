package dev.strake.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.strake.engine.Json;
import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.explain.RenderReasons.Link;
import dev.strake.engine.graph.Reason;
import dev.strake.engine.graph.Reference;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.render.Tracer.Verdict;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Plan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Why a change rendered a document again: the chain from the document back to the edit. */
class RenderReasonsTest {

    private static final DocumentId GLOBAL = new DocumentId("t/A/v1", "global", "base");
    private static final DocumentId SITE = new DocumentId("t/A/v1", "site", "web");
    private static final DocumentId IMAGES = new DocumentId("t/I/v1", "global", "images");
    private static final DocumentId OTHER = new DocumentId("t/A/v1", "site", "other");

    private final TestWorkspace workspace = new TestWorkspace();

    @BeforeEach
    void publish() {
        workspace.put(
                "b",
                TestDocument.layers("global", "site"),
                images("1"),
                takingImage().labels("{'is':'base'}").data("{'a':'x'}"),
                document(SITE).over("{'is':'base'}").data("{'a':'x'}"),
                document(OTHER).data("{'a':'x'}"));
    }

    private static MapValue images(String web) {
        return document(IMAGES).data("{'web':'" + web + "','db':'1'}");
    }

    private static TestDocument takingImage() {
        return document(GLOBAL).taking("t/I/v1", "images", ".web", ".image");
    }

    private static TestDocument document(DocumentId id) {
        return TestDocument.document(id.schema(), id.name()).in(id.layer());
    }

    private RenderReasons change(MapValue... documents) throws DocumentFormatException {
        List<Document> read = new ArrayList<>();
        for (MapValue document : documents) {
            read.add(Document.of(document));
        }
        RenderReasons reasons = new RenderReasons();
        Plan plan = Plan.documentsPut(workspace.head().graph(), "b", read);
        workspace.head().apply(plan, workspace, Renderer.holdingRevisions(), reasons);
        return reasons;
    }

    @Test
    void shouldTraceADerivedDocumentToTheEditOfADocumentItsOwnerReads() throws DocumentFormatException {
        DocumentId owner = new DocumentId("strake/Collection/v1", "site", "gather");
        DocumentId derived = new DocumentId("t/All/v1", "site", "all");
        MapValue collection =
                document(owner).data("{'schema':'t/A/v1','path':'.image','into':{'schema':'t/All/v1','name':'all'}}");
        assertThat(change(collection).chainOfDerived(derived, owner))
                .extracting(Link::document, Link::reason)
                .containsExactly(tuple(derived, new Reason.Derived(owner)), tuple(owner, Reason.EDITED));

        workspace.put("c", collection);
        assertThat(change(images("2")).chainOfDerived(derived, owner))
                .extracting(Link::document, Link::verdict)
                .containsExactly(
                        tuple(derived, Verdict.RENDERED),
                        tuple(owner, Verdict.RENDERED),
                        tuple(GLOBAL, Verdict.RENDERED), // the first of its dependencies
                        tuple(IMAGES, Verdict.RENDERED));
        assertThat(change(document(OTHER).labels("{'no':'matter'}").data("{'a':'x'}"))
                        .chainOfDerived(derived, owner))
                .as("nothing that it reads changed")
                .isEmpty();
    }

    @Test
    void shouldTraceADocumentToTheEdit() throws DocumentFormatException {
        List<Link> chain = change(images("2")).chain(SITE);

        assertThat(chain).extracting(Link::document).containsExactly(SITE, GLOBAL, IMAGES);
        assertThat(chain).extracting(Link::verdict).containsOnly(Verdict.RENDERED);
        assertThat(chain.get(0).reason())
                .isInstanceOfSatisfying(
                        Reason.Changed.class,
                        changed -> assertThat(changed.dependency().reference()).isInstanceOf(Reference.Parent.class));
        assertThat(chain.get(1).reason())
                .isInstanceOfSatisfying(
                        Reason.Changed.class,
                        changed -> assertThat(changed.dependency().reference()).isInstanceOf(Reference.Source.class));
        assertThat(chain.get(2).reason()).isEqualTo(Reason.EDITED);
    }

    @Test
    void shouldShowWhereTheChangeEnded() throws DocumentFormatException {
        MapValue same = images("1");
        RenderReasons reasons = change(same.with("data", Json.map("{'web':'1','db':'2'}")));

        assertThat(reasons.chain(GLOBAL)).first().extracting(Link::verdict).isEqualTo(Verdict.VERIFIED);
        assertThat(reasons.chain(SITE)).extracting(Link::verdict).containsExactly(Verdict.CLEAN);
        assertThat(reasons.chain(OTHER)).as("not reached").isEmpty();
    }

    @Test
    void shouldNameANewParentAsTheReason() throws DocumentFormatException {
        List<Link> chain = change(takingImage().data("{'a':'x'}")).chain(SITE);

        assertThat(chain.get(0).reason()).isInstanceOfSatisfying(Reason.Resolved.class, resolved -> {
            assertThat(resolved.before().on()).isEqualTo(GLOBAL);
            assertThat(resolved.now() == null ? null : resolved.now().on()).isNull();
        });
        assertThat(chain.get(1)).isEqualTo(new Link(GLOBAL, Reason.EDITED, Verdict.RENDERED));
    }

    @Test
    void shouldTraceToTheNewParentRatherThanTheOldOne() throws DocumentFormatException {
        DocumentId young = new DocumentId("t/A/v1", "global", "young");
        List<Link> chain = change(
                        takingImage().data("{'a':'x'}"),
                        document(young).labels("{'is':'base'}").data("{}"))
                .chain(SITE);

        assertThat(chain).extracting(Link::document).containsExactly(SITE, young);
        assertThat(chain.get(1).reason()).isEqualTo(Reason.EDITED);
    }

    /* Other dependencies, such as a DataSchema, come later in the order. */
    @Test
    void shouldNameRemovedOperationsAsTheReasonRatherThanADependencyThatStayed() throws DocumentFormatException {
        DocumentId operations = new DocumentId("strake/Operations/v1", "site", "night");
        MapValue night = document(operations)
                .data("{'target':{'schema':'t/A/v1','name':'other'},"
                        + "'operations':[{'type':'replace','path':'/a','value':'y'}]}");
        workspace.put(
                "b",
                TestDocument.layers("global", "site"),
                TestDocument.dataSchema("t/A/v1", "{}"),
                document(OTHER).data("{'a':'x'}"));

        Reason.Resolved came =
                (Reason.Resolved) change(night).chain(OTHER).get(0).reason();
        assertThat(came.before()).isNull();
        assertThat(came.now().on()).isEqualTo(operations);

        workspace.put("c", night);
        RenderReasons reasons = new RenderReasons();
        Plan plan = Plan.bucketPut(workspace.head().graph(), "c", List.of());
        workspace.head().apply(plan, workspace, Renderer.holdingRevisions(), reasons);
        Reason.Resolved went = (Reason.Resolved) reasons.chain(OTHER).get(0).reason();
        assertThat(went.before().on()).isEqualTo(operations);
        assertThat(went.now()).isNull();
    }

    /* The new parent was reached through its own parent, but overrides the place, so its data did not change. */
    @Test
    void shouldTraceToTheOldParentIfTheNewOneIsUnchanged() throws DocumentFormatException {
        DocumentId over = new DocumentId("t/I/v1", "global", "over");
        DocumentId source = new DocumentId("t/I/v1", "site", "source");
        DocumentId far = new DocumentId("t/A/v1", "global", "far");
        DocumentId near = new DocumentId("t/A/v1", "region", "near");
        DocumentId child = new DocumentId("t/A/v1", "site", "child");
        TestDocument base = document(over).labels("{'is':'over'}");
        workspace.put(
                "b",
                TestDocument.layers("global", "region", "site"),
                base.data("{'web':'1'}"),
                document(source).over("{'is':'over'}").data("{'web':'2'}"),
                document(far)
                        .labels("{'is':'chosen'}")
                        .taking("t/I/v1", "source", ".web", ".image")
                        .data("{}"),
                document(near).labels("{'is':'chosen'}").data("{}"),
                document(child).over("{'is':'chosen'}").data("{}"));

        RenderReasons reasons = change(document(near).data("{}"), base.data("{'web':'3'}"));

        assertThat(reasons.chain(far)).containsExactly(new Link(far, null, Verdict.CLEAN));
        assertThat(reasons.chain(child)).extracting(Link::document).containsExactly(child, near);
    }
}
