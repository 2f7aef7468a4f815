package dev.strake.checks.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.strake.cli.StrakeCommand;
import dev.strake.cli.local.DeployedFiles;
import dev.strake.cli.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the instructions of deploy/README.md, from a repository to Argo CD, with the overlay that they apply. */
class GitWalkTest {

    private static final Path GIT = DeployedFiles.DEPLOY.resolve("kustomize/overlays/git");
    private static final List<String> NAMES_OF_SECRETS = List.of("secretName", "secret", "secretKeyRef");

    @Test
    void shouldCreateEachSecretOfTheOverlayInItsNamespace() throws Exception {
        Set<String> made = new TreeSet<>(Set.of("kafka-cluster-ca-cert")); // made by Strimzi, like those of the users
        DeployedFiles.yaml(DeployedFiles.DEPLOY.resolve("strimzi/users.yaml"))
                .forEach(user -> made.add(user.at("/metadata/name").asText()));
        Pattern.compile("kubectl create secret \\w+ ([\\w-]+) -n kafka ")
                .matcher(Files.readString(DeployedFiles.DEPLOY.resolve("README.md")))
                .results()
                .forEach(command -> made.add(command.group(1)));
        List<JsonNode> resources = built(GIT);
        assertThat(resources)
                .allSatisfy(resource ->
                        assertThat(resource.at("/metadata/namespace").asText()).isEqualTo("kafka"));
        Set<String> wanted = new TreeSet<>();
        resources.forEach(resource -> NAMES_OF_SECRETS.forEach(member -> resource.findValues(member)
                .forEach(found -> wanted.add(
                        found.isTextual() ? found.asText() : found.path("name").asText()))));
        wanted.remove(""); // volumes use secretName
        assertThat(wanted)
                .contains("strake-keyset", "strake-fetcher", "strake-applier", "strake-ingress-tls")
                .isSubsetOf(made);
    }

    @Test
    void shouldLetTheFetcherDecryptTheCredentialsOfTheSource() throws Exception {
        List<JsonNode> resources = built(GIT);
        assertThat(variable(resources, "StatefulSet", "strake", "STRAKE_SECRETS_OUTPUT"))
                .isEqualTo("encrypted");
        String keyset = variable(resources, "Deployment", "strake-fetch", "STRAKE_SECRETS_KEYSET");
        assertThat(keyset).isEqualTo(variable(resources, "StatefulSet", "strake", "STRAKE_SECRETS_KEYSET"));
        assertThat(variable(resources, "Deployment", "strake-fetch", "STRAKE_PUBLIC_KEY_FILE"))
                .startsWith(Path.of(keyset).getParent() + "/");
        assertThat(one(resources, "Deployment", "strake-fetch").findValuesAsText("mountPath"))
                .contains(Path.of(keyset).getParent().toString());
    }

    @Test
    void shouldPublishASourceThatRenders() throws Exception {
        StrakeCommand.run(ExitCode.FINE, "validate", GIT.resolve("source.yaml").toString());
        assertThat(DeployedFiles.yaml(GIT.resolve("source.yaml")))
                .extracting(document -> document.get("schema").asText())
                .startsWith("deckhand/LayeringPolicy/v1");
    }

    @Test
    void shouldUseTlsBehindTheIngressWhereAnOverlayHasBoth(@TempDir Path overlay) throws Exception {
        Path all = overlay.toRealPath()
                .relativize(DeployedFiles.DEPLOY.resolve("kustomize").toRealPath());
        Files.writeString(
                overlay.resolve("kustomization.yaml"),
                "resources: [%1$s/base]\ncomponents: [%1$s/components/ingress, %1$s/components/tls]\n".formatted(all));
        String protocol = "/metadata/annotations/nginx.ingress.kubernetes.io~1backend-protocol";
        assertThat(one(built(overlay), "Ingress", "strake").at(protocol).asText())
                .isEqualTo("HTTPS");
        assertThat(one(built(GIT), "Ingress", "strake").at(protocol).isMissingNode())
                .isTrue();
    }

    private static List<JsonNode> built(Path overlay) throws Exception {
        return DeployedFiles.yaml(Tool.named("kubectl").run("kustomize", overlay.toString()));
    }

    private static JsonNode one(List<JsonNode> resources, String kind, String name) {
        return resources.stream()
                .filter(resource -> resource.get("kind").asText().equals(kind))
                .filter(resource -> resource.at("/metadata/name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String variable(List<JsonNode> resources, String kind, String name, String variable) {
        return Stream.of(one(resources, kind, name).findValue("env"))
                .flatMap(env -> env.valueStream())
                .filter(each -> each.get("name").asText().equals(variable))
                .map(each -> each.get("value").asText())
                .findFirst()
                .orElseThrow();
    }
}
