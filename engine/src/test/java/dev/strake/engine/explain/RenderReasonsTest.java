package dev.strake.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.strake.engine.Json;
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

    private static final String TAKES_IMAGE =
            ",'substitutions':[{'src':{'schema':'t/I/v1','name':'images','path':'.web'},'dest':{'path':'.image'}}]";

    private final TestWorkspace workspace = new TestWorkspace();

    @BeforeEach
    void publish() {
        workspace.put(
                "b",
                Json.map(
                        "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},"
                                + "'data':{'layerOrder':['global','site']}}"),
                images("1"),
                document(GLOBAL, ",'labels':{'is':'base'}" + TAKES_IMAGE, ""),
                document(SITE, "", ",'parentSelector':{'is':'base'},'actions':[{'method':'merge','path':'.'}]"),
                document(OTHER, "", ""));
    }

    private static MapValue images(String web) {
        return Json.map("{'schema':'t/I/v1','metadata':{'schema':'metadata/Document/v1','name':'images',"
                + "'storagePolicy':'cleartext','layeringDefinition':{'layer':'global'}},'data':{'web':'" + web
                + "','db':'1'}}");
    }

    private static MapValue document(DocumentId id, String metadata, String layering) {
        return Json.map("{'schema':'" + id.schema() + "','metadata':{'schema':'metadata/Document/v1','name':'"
                + id.name()
                + "','storagePolicy':'cleartext','layeringDefinition':{'layer':'" + id.layer() + "'" + layering + "}"
                + metadata + "},'data':{'a':'x'}}");
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
    void shouldLeadFromADerivedDocumentToTheEditOfWhatItsOwnerReads() throws DocumentFormatException {
        DocumentId owner = new DocumentId("strake/Collection/v1", "site", "gather");
        DocumentId derived = new DocumentId("t/All/v1", "site", "all");
        MapValue collection = Json.map("{'schema':'strake/Collection/v1','metadata':{'schema':'metadata/Document/v1',"
                + "'name':'gather','storagePolicy':'cleartext','layeringDefinition':{'layer':'site'}},"
                + "'data':{'schema':'t/A/v1','path':'.image','into':{'schema':'t/All/v1','name':'all'}}}");
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
        assertThat(change(document(OTHER, ",'labels':{'no':'matter'}", "")).chainOfDerived(derived, owner))
                .as("nothing that it reads changed")
                .isEmpty();
    }

    @Test
    void shouldLeadFromADocumentToTheEdit() throws DocumentFormatException {
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
    void shouldSayWhereTheChangeEnded() throws DocumentFormatException {
        MapValue same = images("1");
        RenderReasons reasons = change(same.with("data", Json.map("{'web':'1','db':'2'}")));

        assertThat(reasons.chain(GLOBAL)).first().extracting(Link::verdict).isEqualTo(Verdict.VERIFIED);
        assertThat(reasons.chain(SITE)).extracting(Link::verdict).containsExactly(Verdict.CLEAN);
        assertThat(reasons.chain(OTHER)).as("not reached").isEmpty();
    }

    @Test
    void shouldSayThatAnotherDocumentIsTheParentNow() throws DocumentFormatException {
        List<Link> chain = change(document(GLOBAL, TAKES_IMAGE, "")).chain(SITE);

        assertThat(chain.get(0).reason()).isInstanceOfSatisfying(Reason.Resolved.class, resolved -> {
            assertThat(resolved.before().on()).isEqualTo(GLOBAL);
            assertThat(resolved.now() == null ? null : resolved.now().on()).isNull();
        });
        assertThat(chain.get(1)).isEqualTo(new Link(GLOBAL, Reason.EDITED, Verdict.RENDERED));
    }

    @Test
    void shouldRatherLeadToTheNewParentThanToTheOldOne() throws DocumentFormatException {
        DocumentId young = new DocumentId("t/A/v1", "global", "young");
        List<Link> chain = change(document(GLOBAL, TAKES_IMAGE, ""), document(young, ",'labels':{'is':'base'}", ""))
                .chain(SITE);

        assertThat(chain).extracting(Link::document).containsExactly(SITE, young);
        assertThat(chain.get(1).reason()).isEqualTo(Reason.EDITED);
    }

    /* The new parent was reached through its own parent, but overrides the place, so its data did not change. */
    @Test
    void shouldLeadToTheOldParentIfNothingHappenedToTheNewOne() throws DocumentFormatException {
        DocumentId over = new DocumentId("t/A/v1", "global", "over");
        DocumentId source = new DocumentId("t/I/v1", "site", "source");
        DocumentId far = new DocumentId("t/A/v1", "global", "far");
        DocumentId near = new DocumentId("t/A/v1", "region", "near");
        DocumentId child = new DocumentId("t/A/v1", "site", "child");
        MapValue policy = Json.map(
                "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},"
                        + "'data':{'layerOrder':['global','region','site']}}");
        MapValue base = Json.map("{'schema':'t/I/v1','metadata':{'schema':'metadata/Document/v1','name':'"
                + over.name() + "','storagePolicy':'cleartext','labels':{'is':'over'},"
                + "'layeringDefinition':{'layer':'global'}},'data':{'web':'1'}}");
        workspace.put(
                "b",
                policy,
                base,
                document(source, "", ",'parentSelector':{'is':'over'},'actions':[{'method':'merge','path':'.'}]")
                        .with("data", Json.map("{'web':'2'}")),
                document(
                        far,
                        ",'labels':{'is':'chosen'},'substitutions':[{'src':{'schema':'t/I/v1','name':'source',"
                                + "'path':'.web'},'dest':{'path':'.image'}}]",
                        ""),
                document(near, ",'labels':{'is':'chosen'}", ""),
                document(child, "", ",'parentSelector':{'is':'chosen'},'actions':[{'method':'merge','path':'.'}]"));

        RenderReasons reasons = change(document(near, "", ""), base.with("data", Json.map("{'web':'3'}")));

        assertThat(reasons.chain(far)).containsExactly(new Link(far, null, Verdict.CLEAN));
        assertThat(reasons.chain(child)).extracting(Link::document).containsExactly(child, near);
    }
}
