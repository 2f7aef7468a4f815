package dev.strake.remote.apply.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.strake.client.RenderedUpdate;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.remote.apply.Applied;
import dev.strake.remote.apply.DocumentResult;
import dev.strake.remote.apply.FileDiff;
import dev.strake.remote.apply.RemovalRule;
import dev.strake.remote.apply.TargetChange.Kind;
import dev.strake.remote.apply.Workspace;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.testing.kubernetes.TestCluster;
import dev.strake.testing.kubernetes.TestCluster.Received;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesTargetTest {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String OBJECTS = "strake-site-a";
    private static final String LAST = "deploy.razee.io/last-applied-configuration";

    @TempDir
    Path folder;

    private final Workspace workspace = new Workspace();
    private final List<DocumentResult> results = new ArrayList<>();
    private final List<DocumentKey> gone = new ArrayList<>();
    private TestCluster api;
    private String maps;
    private String inNamespace;
    private ApiServer server;
    private KubernetesTarget target;
    private RemovalRule rule = new RemovalRule(Optional.of(RemovalLimit.parse("100%")));
    private boolean dryRun;
    private boolean correctsDrift = true;
    private Duration lookEvery = Duration.ofHours(1);

    @BeforeEach
    void start() throws IOException {
        api = TestCluster.start();
        maps = api.maps();
        inNamespace = "/namespaces/" + api.namespace();
        server = ApiServer.connect(Optional.of(api.kubeconfig(folder)), Optional.empty(), (method, code) -> {});
        open();
    }

    private void open() {
        target = new KubernetesTarget(
                server,
                new KubernetesTarget.Options(
                        Workspace.NAME,
                        server.namespace(),
                        rule,
                        dryRun,
                        new KubernetesTarget.Drift(correctsDrift, lookEvery),
                        "razeedeploy",
                        tree -> JsonBytes.text(tree) + "\n"),
                new DocumentResult.Listener() {
                    @Override
                    public void became(DocumentResult result) {
                        results.add(result);
                    }

                    @Override
                    public void gone(DocumentKey document) {
                        gone.add(document);
                    }
                });
    }

    private void restart() {
        target.close();
        open();
    }

    @AfterEach
    void stop() {
        target.close();
        server.close();
        api.close();
    }

    @Test
    void shouldCreatePatchAndRemoveObjects() throws Exception {
        apply(map("a", "{'x':'1','y':'2'}")
                .object("ConfigMap/b", mapJson("b", "{}"))
                .whole());
        assertThat(api.object(maps + "a").path("data")).isEqualTo(TestCluster.json("{'x':'1','y':'2'}"));

        api.change(maps + "a", object -> object.withObject("data").put("theirs", "3"));
        Applied applied =
                apply(map("a", "{'x':'7'}").removeObject("ConfigMap/b").revision());
        assertThat(applied.summary()).isEqualTo("revision 2: 0 created, 1 replaced, 1 removed, 0 unchanged");
        assertThat(api.object(maps + "a").path("data")).isEqualTo(TestCluster.json("{'x':'7','theirs':'3'}"));
        assertThat(api.object(maps + "b")).isNull();
        assertThat(gone).containsExactly(new DocumentKey("kubernetes/Object/v1", "ConfigMap/b"));
    }

    @Test
    void shouldSendOneRequestForOneChangedDocumentOfFifty() throws Exception {
        for (int i = 0; i < 50; i++) {
            map("m" + i, "{'x':'1'}");
        }
        apply(workspace.whole());
        api.requests();
        apply(map("m7", "{'x':'2'}").revision());
        assertThat(api.objectRequests()).extracting(Received::toString).containsExactly("PATCH " + maps + "m7");
    }

    @Test
    void shouldSendNothingAfterARestartIfNothingDiffers() throws Exception {
        apply(map("a", "{'x':'1'}")
                .object("Deployment.apps/web", deployment("web", "1"))
                .whole());
        api.requests();
        restart();
        Applied applied = apply(workspace.whole());
        assertThat(applied.summary()).isEqualTo("revision 1: 0 created, 0 replaced, 0 removed, 2 unchanged");
        assertThat(api.requests()).noneMatch(Received::writes);
    }

    @Test
    void shouldRecoverObjectsThatWereCreatedBeforeACrash() throws Exception {
        map("a", "{'x':'1'}");
        map("b", "{'x':'1'}");
        api.loseAnswer(each -> each.method().equals("POST") && isOf(each, "b"));
        RenderedUpdate whole = workspace.whole();
        assertThatThrownBy(() -> target.apply(whole, Workspace.ANYWHERE)).isInstanceOf(IOException.class);
        assertThat(api.objects()).containsKeys(maps + "a", maps + "b");
        target.close(); // the state of the failed attempt is discarded
        api.requests();

        open();
        Applied applied = apply(workspace.removeObject("ConfigMap/b").whole());
        assertThat(api.object(maps + "b")).isNull();
        assertThat(applied.count(Kind.REMOVE)).isEqualTo(1);
        assertThat(api.objectRequests().stream().filter(Received::writes))
                .extracting(Received::toString)
                .containsExactly("DELETE " + maps + "b", "PUT " + maps + OBJECTS);
    }

    @Test
    void shouldRetryAfterAConflict() throws Exception {
        apply(map("a", "{'x':'1'}").whole());
        api.before(
                each -> each.method().equals("PATCH"),
                () -> api.change(
                        maps + "a",
                        object -> object.withObject("metadata")
                                .withObject("labels")
                                .put("deploy.razee.io/debug", "true")));
        Applied applied = apply(map("a", "{'x':'2'}").revision());
        assertThat(applied.count(Kind.HELD)).isEqualTo(1);
        assertThat(api.object(maps + "a").at("/data/x").asText()).isEqualTo("1");
        assertThat(annotation("a", "deploy.razee.io/pending-configuration")).contains("\"x\":\"2\"");
        assertThat(results.get(results.size() - 1).status()).isEqualTo(DocumentResult.Status.HELD);

        api.change(maps + "a", object -> object.withObject("metadata").remove("labels"));
        restart();
        apply(workspace.whole());
        assertThat(api.object(maps + "a").at("/data/x").asText()).isEqualTo("2");
        assertThat(annotation("a", "deploy.razee.io/pending-configuration")).isEmpty();
    }

    @Test
    void shouldCreateNamespacesAndDefinitionsFirst() throws Exception {
        String shop = api.namespace() + "-shop";
        String group = api.namespace() + ".example.org";
        workspace.object(
                "A/one",
                "{'apiVersion':'%s/v1','kind':'A','metadata':{'name':'one','namespace':'%s'}}".formatted(group, shop));
        workspace.object(
                "ConfigMap/m",
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m','namespace':'%s'}}".formatted(shop));
        workspace.object(
                "Namespace/shop", "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s'}}".formatted(shop));
        workspace.object("CustomResourceDefinition/as", definition(group));
        apply(workspace.whole());
        assertThat(api.object("/api/v1/namespaces/" + shop + "/configmaps/m")).isNotNull();
        untilSettled();
        assertThat(api.object("/apis/" + group + "/v1/namespaces/" + shop + "/as/one"))
                .isNotNull();
    }

    @Test
    void shouldRetryAfterErrorsOfTheServer() throws Exception {
        api.fail(each -> each.method().equals("POST") && isOf(each, "a"), 500, "boom");
        Applied applied =
                apply(map("a", "{}").object("ConfigMap/b", mapJson("b", "{}")).whole());
        assertThat(applied.count(Kind.FAILED)).isEqualTo(1);
        assertThat(applied.count(Kind.CREATE)).isEqualTo(1);
        assertThat(results)
                .anyMatch(each -> each.status() == DocumentResult.Status.FAILED
                        && each.reason().contains("500 Injected: boom"));
        untilSettled();
        assertThat(api.object(maps + "a")).isNotNull();
    }

    @Test
    void shouldReportAnUnreachableServer() throws Exception {
        api.loseAnswer(each -> each.method().equals("POST") && isOf(each, "a"));
        RenderedUpdate whole = map("a", "{}").whole();
        assertThatThrownBy(() -> target.apply(whole, Workspace.ANYWHERE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1")
                .hasMessageNotContaining("planted-token");
        assertThat(apply(workspace.whole()).unchanged()).isEqualTo(1);
    }

    @Test
    void shouldWaitForFinalizersAndNotDeleteTwice() throws Exception {
        apply(workspace
                .object("ConfigMap/a", mapJson("a", "{}").replace("'name'", "'finalizers':['example.org/f'],'name'"))
                .whole());
        apply(workspace.removeObject("ConfigMap/a").revision());
        assertThat(api.object(maps + "a").path("metadata").has("deletionTimestamp"))
                .isTrue();
        api.requests();
        await().atMost(PATIENCE).until(() -> target.idle().isPresent());
        assertThat(api.objectRequests()).noneMatch(Received::writes);
        assertThat(gone).isEmpty();
        api.change(maps + "a", object -> object.withObject("metadata").remove("finalizers"));
        untilSettled();
        assertThat(gone).hasSize(1);
    }

    @Test
    void shouldObeyTheLabelOfARemovedDocument() throws Exception {
        map("a", "{}");
        workspace.object("ConfigMap/keep", labelled("keep", "false"));
        workspace.object("ConfigMap/ask", labelled("ask", "confirm"));
        apply(workspace.whole());
        Applied applied = apply(workspace
                .removeObject("ConfigMap/keep")
                .removeObject("ConfigMap/ask")
                .revision());
        assertThat(applied.count(Kind.HELD)).isEqualTo(1);
        assertThat(api.object(maps + "keep")
                        .path("metadata")
                        .path("annotations")
                        .has("deploy.razee.io.parent"))
                .isFalse();
        assertThat(api.object(maps + "ask")).isNotNull();
        api.change(
                maps + "ask",
                object ->
                        object.withObject("metadata").withObject("annotations").put(ObjectWork.CONFIRMED, "true"));
        untilSettled();
        assertThat(api.object(maps + "ask")).isNull();
    }

    @Test
    void shouldNotTouchObjectsOfExistingOwners() throws Exception {
        api.put(maps + "owner", mapJson("owner", "{}"));
        api.put(
                maps + "a",
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','annotations':{'deploy.razee.io.parent':'"
                        + maps + "owner'}},'data':{'x':'theirs'}}");
        assertThat(apply(map("a", "{'x':'ours'}").whole()).count(Kind.FOREIGN)).isEqualTo(1);
        assertThat(api.object(maps + "a").at("/data/x").asText()).isEqualTo("theirs");
        api.remove(maps + "owner");
        apply(workspace.whole());
        assertThat(api.object(maps + "a").at("/data/x").asText()).isEqualTo("ours");
    }

    @Test
    void shouldRepairAndReportDrift() throws Exception {
        lookEvery = Duration.ZERO;
        open();
        apply(map("a", "{'x':'1'}").object("ConfigMap/b", mapJson("b", "{}")).whole());
        api.change(
                maps + "a", object -> object.withObject("data").put("x", "mine").put("y", "added"));
        api.remove(maps + "b");
        results.clear();
        Applied applied = target.idle().orElseThrow();
        assertThat(applied.count(Kind.RESTORE)).isEqualTo(2);
        assertThat(api.object(maps + "a").path("data")).isEqualTo(TestCluster.json("{'x':'1','y':'added'}"));
        assertThat(api.object(maps + "b")).isNotNull();
        assertThat(results).anyMatch(each -> each.status() == DocumentResult.Status.DRIFTED);
        assertThat(target.idle()).isEmpty();
    }

    @Test
    void shouldOnlyReportDriftOnRequest() throws Exception {
        lookEvery = Duration.ZERO;
        correctsDrift = false;
        open();
        apply(map("a", "{'x':'1'}").whole());
        api.change(maps + "a", object -> object.withObject("data").put("x", "mine"));
        for (int look = 0; look < 2; look++) {
            assertThat(target.idle().orElseThrow().count(Kind.DRIFTED)).isEqualTo(1);
        }
        assertThat(api.object(maps + "a").at("/data/x").asText()).isEqualTo("mine");
        apply(map("a", "{'x':'2'}").revision());
        assertThat(api.object(maps + "a").at("/data/x").asText()).isEqualTo("2");
    }

    @Test
    void shouldNotReportDefaultsOfTheServerAsDrift() throws Exception {
        lookEvery = Duration.ZERO;
        open();
        apply(map("a", "{'cpu':'1000m'}").whole());
        api.change(maps + "a", object -> object.withObject("data").put("cpu", "1"));
        target.idle(); // this look is the baseline of the next one, as if the server had changed the value on write
        api.requests();
        assertThat(target.idle()).isEmpty();
        assertThat(api.objectRequests()).noneMatch(Received::writes);
    }

    @Test
    void shouldRecognizeDefaultsOfTheServerAfterARestart() throws Exception {
        String full = deployment("web", "1")
                .replace("'labels':{}", "'labels':{},'creationTimestamp':null")
                .replace("'name':'app'", "'name':'app','resources':{'limits':{'cpu':'1000m'}},'stdin':false,'env':[]")
                .replace("'replicas':0,", "'replicas':0,'paused':false,'strategy':{},");
        workspace
                .object("Deployment.apps/web", full)
                .object("ConfigMap/a", mapJson("a", "{'x':'1'}").replace("'name'", "'labels':{},'name'"));
        apply(workspace.whole());
        for (boolean dry : new boolean[] {true, false}) {
            dryRun = dry;
            correctsDrift = false;
            restart();
            api.requests();
            Applied applied = apply(workspace.whole());
            assertThat(applied.changes()).isEmpty();
            assertThat(applied.unchanged()).isEqualTo(2);
            assertThat(api.requests()).noneMatch(Received::writes);
        }
        api.change(maps + "a", object -> object.withObject("data").put("x", "mine"));
        restart();
        assertThat(apply(workspace.whole()).count(Kind.DRIFTED)).isEqualTo(1);
    }

    @Test
    void shouldNotFallBackToItsOwnPermissions() throws Exception {
        impersonation();
        workspace.put("razee/RemoteResource/v1alpha2", "shop", "{\"clusterAuth\":{\"impersonateUser\":\"nobody\"}}");
        workspace.bucket("remote-shop").object("ConfigMap/a", mapJson("a", "{}"));
        workspace.bucket("default").object("ConfigMap/b", mapJson("b", "{}"));
        Applied applied = apply(workspace.whole());
        assertThat(applied.count(Kind.CREATE)).isEqualTo(1);
        assertThat(applied.changes())
                .filteredOn(change -> change.kind() == Kind.FAILED)
                .extracting(change -> change.reason())
                .allMatch(reason -> reason.contains("403 Forbidden") && reason.contains("nobody"))
                .hasSize(1);
        assertThat(api.object(maps + "a")).isNull();
        assertThat(api.objectRequests().stream().filter(each -> isAbout(each, "a")))
                .isNotEmpty()
                .allMatch(each -> "nobody".equals(each.user()));
    }

    @Test
    void shouldChangeNothingWhileTheClusterIsLocked() throws Exception {
        String config = maps + "razeedeploy-config";
        api.put(
                config,
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'razeedeploy-config'},'data':{'lock-cluster':' True '}}");
        assertThat(apply(map("a", "{}").whole()).status()).isEqualTo(Applied.Status.HELD);
        assertThat(api.objectRequests()).noneMatch(Received::writes);
        api.remove(config);
        await().atMost(PATIENCE).until(() -> target.idle().isPresent());
        assertThat(api.object(maps + "a")).isNotNull();
    }

    @Test
    void shouldChangeNothingIfTheLockCannotBeRead() throws Exception {
        api.fail(each -> each.path().endsWith("razeedeploy-config"), 403, "no");
        RenderedUpdate whole = map("a", "{}").whole();
        assertThatThrownBy(() -> target.apply(whole, Workspace.ANYWHERE)).hasMessageContaining("locked");
        assertThat(api.objectRequests()).noneMatch(Received::writes);
    }

    @Test
    void shouldImpersonateTheUserOfAResourceInEveryRequest() throws Exception {
        impersonation();
        workspace.put(
                "razee/RemoteResource/v1alpha2", "shop", "{\"clusterAuth\":{\"impersonateUser\":\"shop-admin\"}}");
        workspace.bucket("remote-shop").object("ConfigMap/a", mapJson("a", "{}"));
        workspace.bucket("default").object("ConfigMap/b", mapJson("b", "{}"));
        apply(workspace.whole());
        apply(workspace.removeObject("ConfigMap/a").revision());
        List<Received> all = api.objectRequests();
        assertThat(all.stream().filter(each -> isAbout(each, "a")))
                .hasSize(4) // read, create, read, delete
                .allMatch(each -> "shop-admin".equals(each.user()));
        assertThat(all.stream().filter(each -> isAbout(each, "b")))
                .hasSize(2)
                .allMatch(each -> "razeedeploy".equals(each.user()));
    }

    @Test
    void shouldSendNothingForAnInvalidUser() throws Exception {
        impersonation();
        workspace.put(
                "razee/RemoteResource/v1alpha2",
                "shop",
                "{\"clusterAuth\":{\"impersonateUser\":\"a\\r\\nX-Evil: b\"}}");
        workspace.bucket("remote-shop").object("ConfigMap/a", mapJson("a", "{}"));
        workspace.bucket("remote-lost").object("ConfigMap/b", mapJson("b", "{}"));
        assertThat(apply(workspace.whole()).count(Kind.FAILED)).isEqualTo(2);
        assertThat(api.objectRequests()).noneMatch(each -> isAbout(each, "a") || isAbout(each, "b"));
    }

    @Test
    void shouldRefuseMasksAndKeepTheirObjects() throws Exception {
        apply(workspace.secret().object("Secret/s", secret("cGxhbnRlZA==")).whole());
        Applied applied = apply(workspace
                .secret()
                .object("Secret/s", secret("****** 6f1c22ab90d1e0f3"))
                .revision());
        assertThat(applied.count(Kind.FAILED)).isEqualTo(1);
        assertThat(applied.changes().get(0).reason()).contains("mask instead of a value at .data.p");
        assertThat(api.object("/api/v1" + inNamespace + "/secrets/s")
                        .at("/data/p")
                        .asText())
                .isEqualTo("cGxhbnRlZA==");
    }

    @Test
    void shouldKeepSecretsOutOfAnnotationsAndStillSeeDrift() throws Exception {
        String path = "/api/v1" + inNamespace + "/secrets/s";
        workspace.secret().object("Secret/s", secret("cGxhbnRlZA==").replace("'p'", "'q':'b2xk','p'"));
        apply(workspace.whole());
        workspace.secret().object("Secret/s", secret("cGxhbnRlZA=="));
        apply(workspace.revision());
        workspace.secret().object("Secret/s", secret("c2Vjb25k"));
        assertThat(apply(workspace.revision()).summary()).contains("1 replaced");
        assertThat(api.object(path).path("data")).isEqualTo(TestCluster.json("{'p':'c2Vjb25k'}"));
        assertThat(api.object(path).path("metadata").toString())
                .contains(LAST)
                .doesNotContain("cGxhbnRlZA", "c2Vjb25k", "b2xk");

        restart();
        api.requests();
        apply(workspace.whole());
        assertThat(api.objectRequests()).noneMatch(Received::writes);
        restart();
        api.change(path, object -> object.withObject("data").put("p", "dGhlaXJz"));
        assertThat(apply(workspace.whole()).count(Kind.RESTORE)).isEqualTo(1);
        assertThat(api.object(path).path("data")).isEqualTo(TestCluster.json("{'p':'c2Vjb25k'}"));
    }

    @Test
    void shouldRefuseSealedDataAndKeepItsObject() throws Exception {
        workspace.put("example/Thing/v1", "s", secret("cGxhbnRlZA==").replace('\'', '"'));
        apply(workspace.object("ConfigMap/a", mapJson("a", "{}")).whole());
        workspace.secret("encrypted").put("example/Thing/v1", "s", "{\"$sealed\":\"AWk2\"}");
        workspace.secret("encrypted").put("example/Thing/v1", "never", "{\"$sealed\":\"AWk2\"}");
        Applied applied = apply(workspace.removeObject("ConfigMap/a").revision());
        assertThat(applied.count(Kind.FAILED)).isEqualTo(1);
        assertThat(applied.changes().get(0).reason()).contains("sealed");
        assertThat(api.objects()).containsKeys("/api/v1" + inNamespace + "/secrets/s", maps + "a");
    }

    @Test
    void shouldApplyNoObjectWithOneSealedValue() throws Exception {
        apply(workspace.object("ConfigMap/a", mapJson("a", "{'k':'old'}")).whole());
        String sealed = "{'k':{'$sealed':'AWk2'}}";
        workspace.secret("encrypted", "/data/k").object("ConfigMap/a", mapJson("a", sealed));
        workspace
                .secret("encrypted", "/data/k")
                .put("example/Thing/v1", "b", mapJson("b", sealed).replace('\'', '"'));

        Applied applied = apply(workspace.revision());

        assertThat(applied.count(Kind.FAILED)).isEqualTo(2);
        assertThat(applied.changes().get(0).reason()).contains("sealed");
        assertThat(api.objects()).doesNotContainKey(maps + "b");
        assertThat(api.object(maps + "a").path("data")).isEqualTo(TestCluster.json("{'k':'old'}"));
    }

    @Test
    void shouldNotQuoteSecretsFromErrorsOfTheServer() throws Exception {
        api.fail(each -> each.method().equals("POST") && isOf(each, "s"), 422, "Invalid value: \"cGxhbnRlZA==\"");
        Applied applied = apply(
                workspace.secret().object("Secret/s", secret("cGxhbnRlZA==")).whole());
        assertThat(applied.changes().toString() + applied.changes().get(0).reason() + results)
                .contains("422 Injected")
                .doesNotContain("cGxhbnRlZA", "planted-token");
    }

    @Test
    void shouldReportItsStepsInADryRun() throws Exception {
        apply(map("a", "{'x':'1'}").object("ConfigMap/b", mapJson("b", "{}")).whole());
        api.requests();
        target.close();
        dryRun = true;
        open();
        map("a", "{'x':'2'}");
        workspace.secret().object("Secret/s", secret("cGxhbnRlZA=="));
        Applied applied = apply(workspace.removeObject("ConfigMap/b").whole());
        assertThat(api.requests()).noneMatch(Received::writes);
        StringBuilder diff = new StringBuilder();
        applied.changes().forEach(change -> diff.append(FileDiff.of(change)));
        assertThat(diff.toString())
                .contains(
                        "--- a/ConfigMap/" + api.namespace() + "/a",
                        "\"data\":{\"x\":\"2\"}",
                        "+++ b/Secret/" + api.namespace() + "/s",
                        "--- a/ConfigMap/" + api.namespace() + "/b")
                .doesNotContain("cGxhbnRlZA", LAST);
    }

    @Test
    void shouldKnowDefinitionsOfTheSameSetInADryRun() throws Exception {
        dryRun = true;
        open();
        String group = api.namespace() + ".example.org";
        workspace.object("CustomResourceDefinition/as", definition(group));
        workspace.object("A/one", "{'apiVersion':'%s/v1','kind':'A','metadata':{'name':'one'}}".formatted(group));
        workspace.object("B/one", "{'apiVersion':'%s/v1','kind':'B','metadata':{'name':'one'}}".formatted(group));
        Applied applied = apply(workspace.whole());
        assertThat(applied.count(Kind.CREATE)).isEqualTo(2);
        assertThat(applied.count(Kind.FAILED)).isEqualTo(1);
        assertThat(api.requests()).noneMatch(Received::writes);
    }

    @Test
    void shouldNotRemoveEverythingUnlessAllowed() throws Exception {
        rule = new RemovalRule(Optional.empty());
        open();
        apply(map("a", "{}").whole());
        Applied applied = apply(workspace.removeObject("ConfigMap/a").revision());
        assertThat(applied.remark()).contains("1 of 1 objects would be removed");
        assertThat(api.object(maps + "a")).isNotNull();
    }

    @Test
    void shouldRemoveNothingWhileADocumentFails() throws Exception {
        apply(map("a", "{}").whole());
        api.fail(each -> each.method().equals("POST") && isOf(each, "b"), 500, "boom");
        Applied applied = apply(workspace
                .object("ConfigMap/b", mapJson("b", "{}"))
                .removeObject("ConfigMap/a")
                .revision());
        assertThat(applied.remark()).contains("nothing is removed while 1 documents fail");
        assertThat(api.object(maps + "a")).isNotNull();
        untilSettled();
        assertThat(api.object(maps + "a")).isNull();
    }

    @Test
    void shouldRefuseASecondDocumentOfAnObject() throws Exception {
        map("a", "{'x':'1'}");
        workspace.object(
                "ConfigMap/default/a",
                mapJson("a", "{'x':'2'}").replace("'name'", "'namespace':'" + api.namespace() + "','name'"));
        Applied applied = apply(workspace.whole());
        assertThat(applied.changes())
                .filteredOn(change -> change.kind() == Kind.FAILED)
                .hasSize(1);
        assertThat(api.object(maps + "a").at("/data/x").asText()).isEqualTo("1");
    }

    @Test
    void shouldKeepForeignListElementsInAStrategicPatch() throws Exception {
        String strategic = deployment("web", "1")
                .replace("'labels':{}", "'labels':{'deploy.razee.io/mode':'StrategicMergePatch'}");
        apply(workspace.object("Deployment.apps/web", strategic).whole());
        String path = "/apis/apps/v1" + inNamespace + "/deployments/web";
        api.change(
                path,
                object -> ((ObjectNode) object.at("/spec/template/spec"))
                        .withArray("containers")
                        .addObject()
                        .put("name", "sidecar")
                        .put("image", "sidecar:1"));
        apply(workspace
                .object("Deployment.apps/web", strategic.replace("app:1", "app:2"))
                .revision());
        assertThat(api.object(path).at("/spec/template/spec/containers").findValuesAsText("image"))
                .containsExactly("app:2", "sidecar:1");
    }

    private void impersonation() {
        for (String user : List.of("shop-admin", "razeedeploy")) {
            api.put(
                    "/apis/rbac.authorization.k8s.io/v1" + inNamespace + "/rolebindings/" + user,
                    "{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'RoleBinding','metadata':{'name':'%s'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'admin'},'subjects':[{'apiGroup':'rbac.authorization.k8s.io','kind':'User','name':'%s'}]}"
                            .formatted(user, user));
        }
        api.put(
                maps + "razeedeploy-config",
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'razeedeploy-config'},'data':{'enable-impersonation':'true'}}");
    }

    private Applied apply(RenderedUpdate update) throws Exception {
        return target.apply(update, Workspace.ANYWHERE);
    }

    private void untilSettled() {
        await().atMost(PATIENCE).until(() -> {
            target.idle();
            return target.isSettled();
        });
    }

    private Workspace map(String name, String data) {
        return workspace.object("ConfigMap/" + name, mapJson(name, data));
    }

    private static String mapJson(String name, String data) {
        return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'" + name + "'},'data':" + data + "}";
    }

    private static String labelled(String name, String reconcile) {
        return mapJson(name, "{}")
                .replace("'name'", "'labels':{'deploy.razee.io/Reconcile':'" + reconcile + "'},'name'");
    }

    private static String secret(String value) {
        return "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'s'},'data':{'p':'" + value + "'}}";
    }

    private static String definition(String group) {
        return "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{'name':'as.%s'},'spec':{'group':'%s','scope':'Namespaced','names':{'plural':'as','kind':'A'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}]}}"
                .formatted(group, group);
    }

    private static String deployment(String name, String tag) {
        return "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'" + name
                + "','labels':{}},'spec':{'replicas':0,'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'app','image':'app:"
                + tag + "'}]}}}}";
    }

    private String annotation(String name, String annotation) {
        return api.object(maps + name)
                .path("metadata")
                .path("annotations")
                .path(annotation)
                .asText();
    }

    private static boolean isOf(Received request, String name) {
        return request.body() != null
                && request.body().path("metadata").path("name").asText().equals(name);
    }

    private static boolean isAbout(Received request, String name) {
        return request.path().endsWith("/" + name) || isOf(request, name);
    }
}
