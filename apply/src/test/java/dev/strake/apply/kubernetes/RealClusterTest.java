package dev.strake.apply.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.apply.Change.Kind;
import dev.strake.apply.DocumentResult;
import dev.strake.apply.RemovalRule;
import dev.strake.apply.Workspace;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.text.JsonValues;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The applier against a real API server: {@code -Dstrake.kubernetes=KUBECONFIG}. It makes a namespace and a definition of
 * custom resources of its own, and removes them.
 */
@EnabledIfSystemProperty(
        named = "strake.kubernetes",
        matches = ".+",
        disabledReason = "needs a real API server: -Dstrake.kubernetes=KUBECONFIG")
class RealClusterTest {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String SPACE = "strake-test-" + Long.toHexString(System.nanoTime());

    @Test
    void shouldApplyCorrectAndRemoveObjects() throws Exception {
        try (ApiServer server = ApiServer.connect(
                Optional.of(Path.of(System.getProperty("strake.kubernetes"))),
                Optional.empty(),
                (method, code) -> {})) {
            Workspace workspace = new Workspace();
            workspace.object(
                    "Namespace/n", "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'" + SPACE + "'}}");
            workspace.object(
                    "CustomResourceDefinition/c",
                    "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{'name':'things.%s.example.org'},'spec':{'group':'%s.example.org','scope':'Namespaced','names':{'plural':'things','singular':'thing','kind':'Thing','listKind':'ThingList'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}]}}"
                            .formatted(SPACE, SPACE));
            workspace.object(
                    "Thing/t",
                    "{'apiVersion':'%s.example.org/v1','kind':'Thing','metadata':{'name':'t','namespace':'%s'},'spec':{'a':1}}"
                            .formatted(SPACE, SPACE));
            workspace.object("Deployment/d", deployment("1"));
            workspace.object("ConfigMap/m", map("1"));
            KubernetesTarget target = open(server);
            target.apply(workspace.whole(), Workspace.ANYWHERE);
            settle(target);
            assertThat(server.get(path("things"), null)).isPresent();

            workspace.object("Deployment/d", deployment("2")).object("ConfigMap/m", map("2"));
            assertThat(target.apply(workspace.revision(), Workspace.ANYWHERE).count(Kind.REPLACE))
                    .isEqualTo(2);
            MapValue changed = MapValue.of("data", MapValue.of("x", new Text("mine")));
            String maps = "/api/v1/namespaces/" + SPACE + "/configmaps/m";
            server.send("PATCH", maps, "application/merge-patch+json", changed, null);
            target.close();

            target = open(server);
            assertThat(target.apply(workspace.whole(), Workspace.ANYWHERE).changes())
                    .extracting(change -> change.kind())
                    .containsExactly(Kind.RESTORE);
            for (String name : new String[] {"ConfigMap/m", "Deployment/d", "Thing/t", "CustomResourceDefinition/c"}) {
                workspace.removeObject(name);
            }
            workspace.removeObject("Namespace/n");
            target.apply(workspace.revision(), Workspace.ANYWHERE);
            settle(target);
            assertThat(server.get("/api/v1/namespaces/" + SPACE, null)).isEmpty();
            target.close();
        }
    }

    private static KubernetesTarget open(ApiServer server) {
        return KubernetesTarget.open(
                server,
                new KubernetesTarget.Options(
                        SPACE,
                        server.namespace(),
                        new RemovalRule(Optional.of(RemovalLimit.parse("100%"))),
                        false,
                        true,
                        Duration.ofHours(1),
                        "razeedeploy",
                        tree -> new String(JsonValues.write(tree), StandardCharsets.UTF_8)),
                DocumentResult.Listener.NONE);
    }

    private static void settle(KubernetesTarget target) {
        await().atMost(PATIENCE).until(() -> {
            target.idle();
            return target.isSettled();
        });
    }

    private static String path(String plural) {
        return "/apis/%s.example.org/v1/namespaces/%s/%s/t".formatted(SPACE, SPACE, plural);
    }

    private static String map(String x) {
        return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m','namespace':'%s'},'data':{'x':'%s'}}"
                .formatted(SPACE, x);
    }

    private static String deployment(String tag) {
        return "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d','namespace':'%s','labels':{'deploy.razee.io/mode':'StrategicMergePatch'}},'spec':{'replicas':0,'selector':{'matchLabels':{'a':'d'}},'template':{'metadata':{'labels':{'a':'d'}},'spec':{'containers':[{'name':'c','image':'registry.example/c:%s'}]}}}}"
                .formatted(SPACE, tag);
    }
}
