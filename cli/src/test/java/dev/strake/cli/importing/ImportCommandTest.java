package dev.strake.cli.importing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.StrakeCommand;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.serdes.text.Dialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rendered output of files imported by {@code strake import}, compared with recorded output of the original tools. */
class ImportCommandTest {

    private static final Path EXAMPLES = Path.of("../examples/import");
    private static final Path CASES = Path.of("src/test/resources/dev/strake/cli/importing");

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"dev", "production"})
    void shouldRenderAnExampleToTheObjectsOfKustomize(String environment) throws Exception {
        importing(ExitCode.FINE, EXAMPLES.resolve("shop"));
        assertThat(objects("base", environment))
                .isEqualTo(recorded(EXAMPLES.resolve("expected/" + environment + ".yaml")));
    }

    @ParameterizedTest
    @CsvSource({"dev", "prod"})
    void shouldFollowNamesAsKustomizeDoes(String environment) throws Exception {
        importing(ExitCode.FINE, CASES.resolve("references"));
        assertThat(objects("base", environment))
                .isEqualTo(recorded(CASES.resolve("expected/" + environment + ".yaml")));
    }

    @Test
    void shouldMergeListsAsKustomizeDoes() throws Exception {
        importing(ExitCode.FINE, CASES.resolve("merges"));
        assertThat(objects("merges")).isEqualTo(recorded(CASES.resolve("expected/merges.yaml")));
    }

    @Test
    void shouldReadScalarsAsKustomizeDoes() throws Exception {
        importing(ExitCode.FINE, CASES.resolve("scalars"));
        assertThat(objects("scalars")).isEqualTo(recorded(CASES.resolve("expected/scalars.yaml")));
    }

    @Test
    void shouldReadScalarsOfManifestsAsKubectlDoes() throws Exception {
        file("in/thing.yaml", """
                apiVersion: example.org/v1
                kind: Thing
                metadata: {name: a}
                spec: {a: yes, b: y, c: 12:30, d: 1e3, e: 0o17, f: 0777, g: 08, h: 1_000, i: 2020-01-01}
                """);
        file("expected.json", """
                {"apiVersion": "example.org/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"a": true, "b": true,
                "c": "12:30", "d": 1000, "e": 15, "f": 511, "g": 8, "h": 1000, "i": "2020-01-01"}}
                """);
        importing(ExitCode.FINE, folder.resolve("in"));
        assertThat(objects("in")).isEqualTo(recorded(folder.resolve("expected.json")));
    }

    /** The expected object is the output of kubectl kustomize 5.5.0. */
    @Test
    void shouldTurnAnnotationsIntoTextAsKustomizeDoes() throws Exception {
        file("in/kustomization.yaml", """
                resources: [thing.yaml]
                patches: [{path: patch.yaml}]
                commonAnnotations: {common: "8"}
                """);
        file("in/thing.yaml", """
                apiVersion: example.org/v1
                kind: Thing
                metadata:
                  name: a
                  annotations: {number: 3, decimal: 1.5, flag: true, gone: 1, nothing: null, word: yes, list: [1], map: {a: 1}}
                  labels: {number: 3}
                spec: {annotations: {number: 3}}
                """);
        file("in/patch.yaml", """
                apiVersion: example.org/v1
                kind: Thing
                metadata: {name: a, annotations: {added: 7, gone: null}}
                """);
        file("expected.json", """
                {"apiVersion": "example.org/v1", "kind": "Thing", "metadata": {"name": "a", "annotations": {"added": "7",
                "common": "8", "decimal": "1.5", "flag": "true", "list": "", "map": "", "nothing": "null", "number": "3",
                "word": "yes"}, "labels": {"number": 3}}, "spec": {"annotations": {"number": 3}}}
                """);
        importing(ExitCode.FINE, folder.resolve("in"));
        assertThat(objects("in")).isEqualTo(recorded(folder.resolve("expected.json")));
    }

    @Test
    void shouldApplyChangesOfTheBaseToUntouchedPartsOfAnOverlay() throws Exception {
        importing(ExitCode.FINE, EXAMPLES.resolve("shop"));
        Path base = folder.resolve("out/base/deployment.apps-web.yaml");
        Files.writeString(
                base,
                Files.readString(base)
                        .replace("key: password", "key: passphrase")
                        .replace("containerPort: 8080", "containerPort: 8081"));
        assertThat(rendered("base", "production")).contains("passphrase", "8081", "north");
    }

    @Test
    void shouldEncryptSecrets() throws Exception {
        importing(ExitCode.FINE, EXAMPLES.resolve("shop"));
        assertThat(Files.readString(folder.resolve("out/base/secret-database-mmbdg4g298.yaml")))
                .contains("storagePolicy: encrypted");
    }

    @Test
    void shouldWarnThatSecretsAreWrittenInClearText() throws Exception {
        file("in/a.yaml", """
                {apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: {k: v}}
                ---
                {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
                """);
        CapturedTerminal terminal = importing(ExitCode.FINE, folder.resolve("in"));
        assertThat(terminal.err())
                .contains("\n1 secret is written in clear text. Before you commit it, "
                        + "encrypt each file with 'strake seal -w WORKSPACE FILE'.\n");
    }

    @Test
    void shouldListTheFilesThatItLookedFor() throws Exception {
        file("in/notes.txt", "none");
        CapturedTerminal empty = importing(ExitCode.USAGE, folder.resolve("in"));
        assertThat(empty.err())
                .startsWith("strake: There is nothing to import in ")
                .contains("no kustomization.yaml, and no *.yaml, *.yml or *.json with a Kubernetes object");
        assertThat(folder.resolve("out")).doesNotExist();

        CapturedTerminal absent = importing(ExitCode.USAGE, folder.resolve("absent"));
        assertThat(absent.err()).startsWith("strake: There is no folder " + folder.resolve("absent"));
        CapturedTerminal file = importing(ExitCode.USAGE, folder.resolve("in/notes.txt"));
        assertThat(file.err()).contains("notes.txt is not a folder.");
    }

    private CapturedTerminal importing(int code, Path from) {
        String to = folder.resolve("out").toString();
        return CapturedTerminal.pipe().run(code, "import", from.toString(), "--to", to);
    }

    @Test
    void shouldListUntranslatedPartsWithPlaceAndReasonButNoValue() throws Exception {
        Path kustomization = file("in/kustomization.yaml", """
                resources: [pod.yaml, 'https://example.org/x?ref=1', ../other.yaml]
                vars: []
                patches:
                - target: {kind: Pod}
                  patch: '[{op: replace, path: /spec/nope, value: geheim}]'
                - target: {labelSelector: a=b}
                  patch: '[]'
                secretGenerator:
                - {name: s, literals: [geheim]}
                - {name: t, files: [binary]}
                """);
        Files.write(folder.resolve("in/binary"), new byte[] {(byte) 0xff});
        file("in/pod.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: a}
                spec: {}
                ---
                kind: Nothing
                """);
        file("other.yaml", "{}");
        String left = importing(ExitCode.INCOMPLETE, kustomization.getParent()).out();
        assertThat(left.lines().map(line -> line.replace(folder + "/", "")))
                .containsExactly(
                        "in/kustomization.yaml:1:23: resources: remote resources are not fetched: clone it, and name its folder",
                        "in/kustomization.yaml:1:54: resources: the file is outside of the folder of its kustomization",
                        "in/kustomization.yaml:2:1: vars: the import does not know this field",
                        "in/kustomization.yaml:4:3: patches: nothing is at 'nope' of a path",
                        "in/kustomization.yaml:6:3: patches: the field labelSelector of targets is not known",
                        "in/kustomization.yaml:9:3: secretGenerator: an entry has no '=', so its value would come from "
                                + "the environment",
                        "in/kustomization.yaml:10:3: secretGenerator: a file is not UTF-8 text",
                        "in/pod.yaml:6:1: a document: it is not a Kubernetes object with a name");
        assertThat(objects("in")).hasSize(1);
    }

    @Test
    void shouldImportAFolderOfManifestsAsOneLayer() throws Exception {
        file("in/a.yaml", """
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {x: z}}, data: {k: null}}
                - {apiVersion: v1, kind: Secret, metadata: {name: b}, stringData: {k: v}}
                """);
        file("in/below/c.json", "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"a\"}}");
        assertThat(importing(ExitCode.INCOMPLETE, folder.resolve("in")).out())
                .endsWith("c.json:1:1: ConfigMap a: another object has this name already\n");
        assertThat(objects("in")).isEqualTo(recorded(folder.resolve("in/a.yaml")));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldNotFollowLinksOutOfTheFolderOrWaitForPipes() throws Exception {
        String object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";
        Path elsewhere = file("elsewhere.yaml", object);
        file("in/a.yaml", object);
        Files.createSymbolicLink(folder.resolve("in/link.yaml"), elsewhere);
        Path pipe = folder.resolve("in/pipe.yaml");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThat(importing(ExitCode.INCOMPLETE, folder.resolve("in")).out())
                .contains(
                        "link.yaml: a file: it is a link that leads out of the folder\n",
                        "pipe.yaml: a file: it is neither a file nor a folder\n");
    }

    @Test
    void shouldNotSuggestAFolderThatItDidNotWrite() throws Exception {
        file("in/other.yaml", "text: of something else");
        CapturedTerminal terminal = importing(ExitCode.INCOMPLETE, folder.resolve("in"));
        assertThat(folder.resolve("out/in")).doesNotExist();
        assertThat(terminal.err()).contains("1 not translated").doesNotContain("Now try");
    }

    @Test
    void shouldNotWriteIntoAFolderThatHasFiles() throws Exception {
        file("out/mine.txt", "");
        CapturedTerminal terminal = importing(ExitCode.USAGE, EXAMPLES.resolve("shop"));
        assertThat(terminal.err()).startsWith("strake: The folder ").contains("it is not empty");
        try (Stream<Path> files = Files.list(folder.resolve("out"))) {
            assertThat(files).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"production, chart", "north, chart values-production"})
    void shouldRenderToTheValuesThatHelmMerges(String environment, String parents) throws Exception {
        Path before = Path.of("../examples/helm/before");
        String production = before.resolve("values-production.yaml").toString();
        importValues(
                before.resolve("values.yaml"),
                "production=" + production,
                "north=" + production + "," + before.resolve("values-north.yaml"));
        assertThat(values((parents + " " + environment).split(" ", -1))).isEqualTo(tree("""
                replicaCount: 3
                image: {repository: registry.example.org/web, tag: "1.27"}
                service: {type: ClusterIP, port: 80}
                ingress: {enabled: true, hosts: [%s]}
                env: [{name: LOG_LEVEL, value: warn}]
                resources: {limits: {cpu: 100m, memory: 512Mi}}
                """.formatted(
                        environment.equals("north") ? "www.north.example.org" : "www.example.org")));
    }

    @Test
    void shouldTreatNullsAsHelmDoes() throws Exception {
        Path chart = file("chart.yaml", "a: {x: 1, y: {z: 1}}\nb: [1]\nc: null\nd: 1");
        Path one = file("one.yaml", "a: null\nb: null\ncache: {auth: null}\nd: null");
        Path two = file("two.yaml", "a: {x: 2, y: {z: null}}");
        importValues(chart, "e=" + one + "," + two);
        assertThat(values("chart", "one", "e")).isEqualTo(tree("a: {x: 2, y: {}}\nc: null\ncache: {auth: null}"));
    }

    @Test
    void shouldRequireTheFilesOfEnvironments() throws Exception {
        Path chart = file("chart.yaml", "a: 1");
        String to = folder.resolve("out").toString();
        StrakeCommand.run(ExitCode.USAGE, "import", "--values", chart.toString(), "--to", to);
        StrakeCommand.run(ExitCode.USAGE, "import", "--to", to);
        StrakeCommand.run(ExitCode.USAGE, "import", folder.toString(), "-e", "a=" + chart, "--to", to);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private void importValues(Path chart, String... environments) {
        List<String> arguments = new ArrayList<>(List.of("import", "--values", chart.toString()));
        Stream.of(environments).forEach(each -> arguments.addAll(List.of("-e", each)));
        arguments.addAll(List.of("--to", folder.resolve("out").toString()));
        StrakeCommand.run(ExitCode.FINE, arguments.toArray(String[]::new));
    }

    private Value values(String... layers) {
        List<Value> values = documents(layers).stream()
                .filter(each -> each.text("schema").equals("helm/Values/v1"))
                .map(each -> each.get("data"))
                .toList();
        assertThat(values).hasSize(1);
        return values.get(0);
    }

    private Value tree(String yaml) throws IOException {
        return Manifests.first(file("tree.yaml", yaml), new LinkedHashSet<>());
    }

    private Path file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private String rendered(String... layers) {
        Stream<String> folders = Stream.concat(Stream.of("policy.yaml"), Stream.of(layers))
                .map(each -> folder.resolve("out").resolve(each).toString());
        String[] arguments = Stream.concat(Stream.of("render", "-o", "json", "--cleartext-secrets"), folders)
                .toArray(String[]::new);
        return StrakeCommand.run(ExitCode.FINE, arguments);
    }

    private List<MapValue> documents(String... layers) {
        return ((ListValue) JsonReader.read(rendered(layers)))
                .items().stream().map(MapValue.class::cast).toList();
    }

    /** The objects rendered from these layers. */
    private Set<Value> objects(String... layers) {
        Set<Value> objects = new HashSet<>();
        documents(layers).forEach(each -> ObjectDocument.object(each).ifPresent(objects::add));
        return objects;
    }

    private static Set<Value> recorded(Path file) throws IOException {
        Set<Untranslated> left = new LinkedHashSet<>();
        Set<Value> objects = new HashSet<>();
        List<Resource> all = Manifests.objects(file, Dialect.PYTHON, left);
        all.forEach(each -> objects.add(each.object()));
        assertThat(left).isEmpty();
        return objects;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "dev; 'dev' is not NAME=FILES",
                "dev=; 'dev=' is not NAME=FILES",
                "dev=a.yaml,; 'dev=a.yaml,' is not NAME=FILES",
                "=a.yaml; '=a.yaml' is not NAME=FILES",
                "../dev=a.yaml; '../dev=a.yaml' is not NAME=FILES",
                "same=b.yaml; --environment same is given twice",
                "dev=.; The folder . cannot be used: it has to be a file.",
            })
    void shouldExplainAWrongEnvironment(String environment, String message) throws Exception {
        Path values = file("values.yaml", "a: 1");
        CapturedTerminal terminal = CapturedTerminal.pipe()
                .run(
                        ExitCode.USAGE,
                        "import",
                        "--values=" + values,
                        "--environment=same=" + values,
                        "--environment=" + environment,
                        "--to=" + folder.resolve("out"));
        assertThat(terminal.err()).startsWith("strake: " + message);
        assertThat(folder.resolve("out")).doesNotExist();
    }
}
