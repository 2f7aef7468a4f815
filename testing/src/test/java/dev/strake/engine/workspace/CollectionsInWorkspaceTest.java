package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.explain.Cause;
import dev.strake.engine.explain.Dependents;
import dev.strake.engine.explain.Explainer;
import dev.strake.engine.explain.Explanation;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.workspace.Update.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Documents that are derived from others: what comes out, when it is made again, and what follows when it cannot be. */
class CollectionsInWorkspaceTest {

    private static final MapValue POLICY = Json.map("""
            {'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},
             'data':{'layerOrder':['global','site']}}
            """);
    private static final DocumentKey ALL = new DocumentKey("net/All/v1", "all");
    private static final DocumentId OWNER = new DocumentId("strake/Collection/v1", "site", "ports");
    private static final String INTO =
            "'schema':'net/Service/v1','path':'.port','into':{'schema':'net/All/v1','name':'all'}";

    private final TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());

    @Test
    void shouldGatherAListInTheOrderOfNamesAndPassOverDocumentsWithoutTheValue() {
        Update update = workspace.put(
                "b",
                POLICY,
                service("c", "'port':3"),
                service("a", "'port':1"),
                service("b", "'x':2"),
                service("d", "'port':null"),
                ports(INTO));

        assertThat(update.status()).isEqualTo(Status.RENDERED);
        assertThat(derived()).isEqualTo("[1,3]");
        assertThat(workspace.published()).doesNotContainKey(OWNER.key());
        assertThat(workspace.head().published()).isEqualTo(6);
    }

    @Test
    void shouldNotLoadTheOtherDocumentsAgainWhenOneChanges() {
        workspace.put(
                "b",
                POLICY,
                service("a", "'port':1,'id':'x'"),
                service("b", "'port':2,'id':'y'"),
                service("c", "'id':'z'"),
                ports(INTO + ",'as':'map','key':'.id'"));

        workspace.put("b", service("b", "'port':7,'id':'y'"));

        assertThat(derived()).isEqualTo("{\"x\":1,\"y\":7}");
        assertThat(workspace.loaded()).extracting(DocumentId::name).doesNotContain("a", "c");
    }

    @Test
    void shouldGatherAMapByNamesOrByAKeyOfEachDocument() {
        workspace.put("b", POLICY, service("b", "'port':2,'id':'x'"), service("a", "'port':1,'id':7"));

        workspace.put("b", ports(INTO + ",'as':'map'"));
        assertThat(derived()).isEqualTo("{\"a\":1,\"b\":2}");

        workspace.put("b", ports(INTO + ",'as':'map','key':'.id'"));
        assertThat(derived()).isEqualTo("{\"7\":1,\"x\":2}");
    }

    @Test
    void shouldNameBothDocumentsThatHaveOneKey() {
        workspace.put("b", POLICY, service("a", "'port':1,'id':'x'"), ports(INTO + ",'as':'map','key':'.id'"));

        workspace.put("b", service("b", "'port':2,'id':'x'"));

        Problem problem = workspace.head().evaluation(OWNER).problem();
        assertThat(problem.code()).isEqualTo(ProblemCode.DERIVATION_FAILED);
        assertThat(problem.message()).contains("[net/Service/v1, a] and [net/Service/v1, b]");
        assertThat(derived()).as("kept as it was").isEqualTo("{\"x\":1}");
    }

    @Test
    void shouldGatherFromDocumentsThatCarryLabelsAndFollowThem() {
        workspace.put(
                "b", POLICY, service("a", "'port':1"), service("b", "'port':2"), ports(INTO + ",'labels':{'t':'w'}"));
        assertThat(derived()).isEqualTo("[]");

        Update update = workspace.put("b", labelled("b", "'t':'w'", "'port':2"));

        assertThat(workspace.derived()).containsExactly(OWNER);
        assertThat(update.emissions())
                .extracting(Emission::key, Emission::owner)
                .containsExactly(tuple(ALL, OWNER), tuple(new DocumentKey("net/Service/v1", "b"), null));
        assertThat(derived()).isEqualTo("[2]");
    }

    @Test
    void shouldEvaluateNobodyWhenAValueThatIsNotReadChanges() {
        workspace.put("b", POLICY, service("a", "'port':1"), ports(INTO));

        Update update = workspace.put("b", service("a", "'port':1,'other':2"));

        assertThat(workspace.derived()).isEmpty();
        assertThat(update.work().derivations()).isZero();
        assertThat(update.owners()).isEmpty();
    }

    @Test
    void shouldRemoveTheDerivedDocumentWithItsOwner() {
        workspace.put("b", POLICY, service("a", "'port':1"), ports(INTO));

        Update update = workspace.delete("b", OWNER);

        assertThat(update.emissions())
                .extracting(Emission::key, Emission::owner, Emission::isRemoval)
                .containsExactly(tuple(ALL, OWNER, true));
        assertThat(workspace.head().derivations().isEmpty()).isTrue();
    }

    @Test
    void shouldRemoveADerivedDocumentThatGotAnotherName() {
        workspace.put("b", POLICY, service("a", "'port':1"), ports(INTO));

        workspace.put("b", ports(INTO.replace("'all'", "'every'")));

        assertThat(workspace.published()).doesNotContainKey(ALL).containsKey(new DocumentKey("net/All/v1", "every"));
    }

    @Test
    void shouldKeepTheDerivedDocumentWhileADocumentThatItReadsIsInTrouble() {
        workspace.put("b", POLICY, service("a", "'port':1"), ports(INTO));

        Update update = workspace.put("b", substituting("b"));

        assertThat(update.status()).isEqualTo(Status.PARTIAL);
        Problem problem = workspace.head().evaluation(OWNER).problem();
        assertThat(problem.code()).isEqualTo(ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND);
        assertThat(problem.related()).containsExactly(new DocumentId("net/Service/v1", "site", "b"));
        assertThat(derived()).isEqualTo("[1]");

        workspace.put("b", service("b", "'port':2"));
        assertThat(derived()).isEqualTo("[1,2]");
    }

    @Test
    void shouldNameTheDocumentInTroubleThatItReadsNow() {
        MapValue service = service("a", "'port':1");
        MapValue metadata = (MapValue) service.get("metadata");
        MapValue blocked = service.with(
                "metadata",
                metadata.with(
                        "substitutions",
                        Json.value(
                                "[{'src':{'schema':'net/Service/v1','name':'b','path':'.'},'dest':{'path':'.x'}}]")));
        MapValue elsewhere = blocked.with(
                "metadata",
                ((MapValue) blocked.get("metadata")).with("layeringDefinition", Json.map("{'layer':'global'}")));
        workspace.put("b", POLICY, substituting("b"));
        workspace.put("c", elsewhere);
        workspace.put("d", ports(INTO));
        assertThat(workspace.head().evaluation(OWNER).problem().message())
                .startsWith("reads [net/Service/v1, global, a], which cannot be rendered because of");

        workspace.putBucket("c", List.of(blocked));

        assertThat(workspace.head().evaluation(OWNER).problem().message())
                .startsWith("reads [net/Service/v1, site, a], which cannot be rendered because of");
    }

    @Test
    void shouldGiveBothTheProblemWhenADocumentHasTheNameOfADerivedOne() {
        workspace.put("b", POLICY, service("a", "'port':1"), ports(INTO));

        workspace.put("b", document("net/All/v1", "all", "", "'mine':1"), document("net/On/v1", "on", "", "'x':1"));

        DocumentId ordinary = new DocumentId("net/All/v1", "site", "all");
        for (DocumentId id : List.of(ordinary, OWNER)) {
            assertThat(workspace.head().evaluation(id).problem().code())
                    .isEqualTo(ProblemCode.DUPLICATE_DOCUMENT_EXISTS);
            assertThat(workspace.head().evaluation(id).problem().related()).containsExactly(ordinary, OWNER);
        }
        assertThat(derived()).as("kept as it was").isEqualTo("[1]");

        workspace.delete("b", OWNER);
        assertThat(derived()).isEqualTo("{\"mine\":1}");
    }

    @Test
    void shouldGiveTwoOwnersOfOneDocumentTheProblem() {
        workspace.put("b", POLICY, service("a", "'port':1"), ports(INTO));
        DocumentId second = new DocumentId("strake/Collection/v1", "site", "second");

        workspace.put("b", document("strake/Collection/v1", "second", "", INTO.replace(".port", ".x")));

        assertThat(workspace.head().problems(9))
                .extracting(Problem::document, Problem::code)
                .containsExactly(
                        tuple(OWNER, ProblemCode.DUPLICATE_DOCUMENT_EXISTS),
                        tuple(second, ProblemCode.DUPLICATE_DOCUMENT_EXISTS));
        workspace.delete("b", second);
        assertThat(workspace.head().isInTrouble()).isFalse();
    }

    @Test
    void shouldHaveNoDerivedDocumentsAsSources() {
        workspace.put("b", POLICY, service("a", "'port':1"), ports(INTO));
        MapValue reader = Json.map("""
                {'schema':'net/On/v1','metadata':{'schema':'metadata/Document/v1','name':'r','storagePolicy':'cleartext',
                 'layeringDefinition':{'layer':'site'},
                 'substitutions':[{'src':{'schema':'net/All/v1','name':'all','path':'.'},'dest':{'path':'.x'}}]},'data':{}}
                """);

        workspace.put("b", reader);

        Problem problem = workspace
                .head()
                .evaluation(new DocumentId("net/On/v1", "site", "r"))
                .problem();
        assertThat(problem.code()).isEqualTo(ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND);
        assertThat(problem.hint()).contains("derived documents are no sources");
    }

    @Test
    void shouldMarkADerivedDocumentEncryptedIfOneThatItReadsIs() {
        workspace.put("b", POLICY, service("a", "'port':1"), ports(INTO));
        assertThat(policy()).isEqualTo("\"cleartext\"");

        MapValue secret = service("a", "'port':1");
        MapValue metadata = (MapValue) secret.get("metadata");
        workspace.put("b", secret.with("metadata", metadata.with("storagePolicy", Json.value("'encrypted'"))));

        assertThat(policy()).isEqualTo("\"encrypted\"");
    }

    @Test
    void shouldEvaluateNobodyAgainAfterARestart() {
        workspace.put("b", POLICY, service("a", "'port':1"), ports(INTO));
        TestWorkspace reopened = workspace.reopened();

        reopened.put("b", service("a", "'port':1,'other':2"));
        assertThat(reopened.derived()).isEmpty();

        reopened.put("b", service("a", "'port':5"));
        assertThat(reopened.derived()).containsExactly(OWNER);
        assertThat(Json.text(reopened.published().get(ALL).get("data"))).isEqualTo("[5]");
    }

    @Test
    void shouldExplainFromWhichDocumentAValueCame() {
        workspace.put("b", POLICY, service("a", "'port':{'http':1}"), service("b", "'port':{'http':2}"), ports(INTO));

        Explainer explainer =
                new Explainer(workspace.head().graph(), workspace, new ChangeEffort(Long.MAX_VALUE), bytes -> {});
        List<Explanation> leaves = explainer.derivedLeaves(OWNER, ALL, Place.ROOT.at(1), 9);

        assertThat(leaves).hasSize(1);
        assertThat(leaves.get(0).document()).isEqualTo(new DocumentId("net/All/v1", "site", "all"));
        Cause.Derived cause = (Cause.Derived) leaves.get(0).winner();
        assertThat(cause.document()).isEqualTo(OWNER);
        assertThat(cause.from().document()).isEqualTo(new DocumentId("net/Service/v1", "site", "b"));
        assertThat(cause.from().place()).isEqualTo(Place.ROOT.at("port").at("http"));
    }

    @Test
    void shouldSayWhatADocumentReachesByWhatOwnersReadOfIt() {
        workspace.put("b", POLICY, service("a", "'port':1,'other':2"), ports(INTO));
        DocumentId derived = new DocumentId("net/All/v1", "site", "all");

        assertThat(reached(new DocumentId("net/Service/v1", "site", "a"), Place.ROOT.at("port")))
                .containsExactly(derived);
        assertThat(reached(new DocumentId("net/Service/v1", "site", "a"), Place.ROOT.at("other")))
                .isEmpty();
        assertThat(reached(OWNER, Place.ROOT)).containsExactly(derived);
        assertThat(reached(derived, Place.ROOT)).isEmpty();
    }

    @Test
    void shouldSayWhatIsWrongWithACollection() {
        workspace.put(
                "b", POLICY, ports("'schema':'net/Service/v1','into':{'schema':'strake/Collection/v1','name':'x'}"));

        Problem problem = workspace.head().evaluation(OWNER).problem();
        assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_COLLECTION);
        assertThat(problem.path()).isEqualTo(".data.into.schema");
    }

    private List<DocumentId> reached(DocumentId id, Place place) {
        return new Dependents(workspace.head().graph(), workspace, id, place, 99, new ChangeEffort(Long.MAX_VALUE))
                .found().stream().map(Dependents.Dependent::document).toList();
    }

    private String derived() {
        return Json.text(workspace.published().get(ALL).get("data"));
    }

    private String policy() {
        return Json.text(((MapValue) workspace.published().get(ALL).get("metadata")).get("storagePolicy"));
    }

    private static MapValue ports(String data) {
        return document("strake/Collection/v1", "ports", "", data);
    }

    private static MapValue service(String name, String data) {
        return labelled(name, "", data);
    }

    private static MapValue labelled(String name, String labels, String data) {
        return document("net/Service/v1", name, labels, data);
    }

    private static MapValue substituting(String name) {
        MapValue service = service(name, "'port':1");
        MapValue metadata = (MapValue) service.get("metadata");
        return service.with(
                "metadata",
                metadata.with(
                        "substitutions",
                        Json.value("[{'src':{'schema':'net/No/v1','name':'no','path':'.'},'dest':{'path':'.x'}}]")));
    }

    private static MapValue document(String schema, String name, String labels, String data) {
        return Json.map("{'schema':'" + schema + "','metadata':{'schema':'metadata/Document/v1','name':'" + name
                + "','storagePolicy':'cleartext','labels':{" + labels
                + "},'layeringDefinition':{'layer':'site'}},'data':{" + data + "}}");
    }
}
