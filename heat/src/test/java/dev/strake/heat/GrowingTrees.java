package dev.strake.heat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Publishes small documents that would expand to a huge tree of stacks, one shape after the other, and prints each
 * result. The test limits its heap.
 */
final class GrowingTrees {

    private static final String SELF = "{'type': 't.yaml'}";
    private static final String POLICY = """
        {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "policy"},
         "data": {"layerOrder": ["site"]}}
        """;

    private final Map<String, List<String>> shapes = new LinkedHashMap<>();

    private GrowingTrees() {
        for (int each : new int[] {1, 2, 5, 20, 900}) {
            shape("nests itself " + each + " times", template("", selves(each)));
        }
        shape(
                "× parameters to ask for",
                template("'parameters': " + map(1_000, i -> "'p" + i + "': {'type': 'string'}"), selves(3)));
        shape(
                "× defaults that do not fit",
                template(
                        "'parameters': "
                                + map(
                                        1_000,
                                        i -> "'p" + i
                                                + "': {'type': 'number', 'default': 1, 'constraints': [{'range':"
                                                + " {'min': 2}}]}"),
                        selves(3)));
        shape(
                "× unknown types",
                template("", selves(3) + "," + items(900, i -> "'x" + i + "': {'type': 'Un::Known'}")));
        shape(
                "× unknown properties",
                template(
                        "",
                        selves(3) + ","
                                + items(
                                        90,
                                        i -> "'x" + i + "': {'type': 'OS::Heat::Value', 'properties': "
                                                + map(50, j -> "'y" + j + "': 1") + "}")));
        shape(
                "× outputs",
                template(
                        "'outputs': " + map(5_000, i -> "'o" + i + "': {'value': {'get_attr': ['no', 'a']}}"),
                        selves(3)));
        shape(
                "× circular dependencies",
                template(
                        "",
                        selves(3) + ","
                                + items(
                                        250,
                                        i -> "'x" + i + "': {'type': 'OS::Heat::None', 'depends_on': ["
                                                + items(250, j -> "'x" + j + "'") + "]}")));
        shape(
                "× parameter groups",
                template(
                        "'parameter_groups': [{'parameters': [" + items(20_000, i -> "'p" + i + "'") + "]}]",
                        selves(3)));
        shape("× a long description", template("'description': '" + "x".repeat(300_000) + "'", selves(3)));
        shape(
                "groups of itself",
                template(
                        "",
                        items(
                                20,
                                i -> "'r" + i
                                        + "': {'type': 'OS::Heat::ResourceGroup', 'properties': {'count': 9,"
                                        + " 'resource_def': "
                                        + SELF + "}}")));
        shape(
                "a chain with many properties",
                template(
                        "",
                        "'r': {'type': 'OS::Heat::ResourceChain', 'properties': {'resources': ["
                                + items(10_000, i -> "'OS::Heat::None'") + "], 'resource_properties': "
                                + map(10_000, i -> "'p" + i + "': 1") + "}}"));
        shape("groups that make a text longer", template("", "'r': " + groups(40)));
        shape(
                "long names",
                template(
                        "'parameters': {'p': {'type': 'string', 'default': {'get_param': 'x'}}, 'q': {'type':"
                                + " 'string'}}",
                        items(
                                3,
                                i -> "'" + "n".repeat(100_000) + i
                                        + "': {'type': 't.yaml', 'properties': {'p': {'get_param':"
                                        + " 'OS::stack_name'}}}")));
        shape(
                "a long name with many calls",
                template(
                        "",
                        "'" + "n".repeat(200_000) + "': {'type': 'OS::Heat::None', 'properties': "
                                + map(9_000, i -> "'p" + i + "': {'get_param': 'p'}") + "}"));
        shape(
                "a condition with a long name",
                template(
                        "'conditions': {'" + "n".repeat(200_000) + "': {'and': [" + items(30_000, i -> "{'not': 'a'}")
                                + "]}}",
                        "'r': {'type': 'OS::Heat::None'}"));
        shape(
                "large values",
                template(
                        "",
                        items(
                                50,
                                i -> "'r" + i
                                        + "': {'type': 'leaf.yaml', 'properties': {'p': {'str_replace': {'template': '"
                                        + "a".repeat(1_000) + "', 'params': {'a': '" + "b".repeat(7_000) + i
                                        + "'}}}}}")),
                template("leaf.yaml", "'parameters': {'p': {'type': 'string'}}", "'r': {'type': 'OS::Heat::None'}"));
        shape(
                "large values of a wrong type",
                template(
                        "'parameters': {'q': {'type': 'string', 'default': ''}, 'p': {'type': 'json', 'default': ["
                                + items(50_000, i -> "'" + i + "'") + "]}}",
                        items(900, i -> "'r" + i + "': {'type': 't.yaml', 'properties': {'q': {'get_param': 'p'}}}")));
        shape(
                "files that are not there",
                template(
                        "",
                        items(
                                900,
                                i -> "'r" + i + "': {'type': 'OS::Heat::None', 'properties': "
                                        + map(30, j -> "'f" + j + "': {'get_file': 'f" + i + "-" + j + "'}") + "}")));
        shape(
                "mappings with stars",
                template("", selves(2) + "," + items(900, i -> "'x" + i + "': {'type': 'b::" + i + "'}")),
                environment("'resource_registry': " + map(20_000, i -> "'a" + i + "*': 'c*'")));
        shape(
                "patterns of names",
                template("", "'" + "a".repeat(100_000) + "': " + SELF + ",'" + "a".repeat(99_999) + "': " + SELF),
                environment("'resource_registry': {'resources': {'" + "*a".repeat(100_000) + "b': {'T': 'U'}}}"));
        shape(
                "defaults of environments",
                template(
                        "'parameters': {'p': {'type': 'comma_delimited_list', 'constraints': [{'allowed_values':"
                                + " ['y']}]}}",
                        selves(3)),
                environment("'parameter_defaults': {'p': [" + items(100_000, i -> "'x'") + "]}"));
        shape(
                "environments that append again and again",
                template("'parameters': {'p': {'type': 'string'}}", "'r': {'type': 'OS::Heat::None'}"),
                environment("'parameter_merge_strategies': {'p': 'merge'}, 'parameter_defaults': {'p': '"
                        + "x".repeat(500_000) + "'}"));
        shape(
                "a large interface",
                template("", items(5, i -> "'r" + i + "': {'type': 'A'}")),
                template(
                        "a.yaml",
                        "'parameters': " + map(5_000, i -> "'p" + i + "': {'type': 'string', 'default': ''}"),
                        selves(1)),
                template("b.yaml", "", items(5, i -> "'r" + i + "': {'type': 't.yaml'}")),
                environment("'resource_registry': {'A': 'b.yaml', 'A*': 'B*', 'B': 'a.yaml'}"));
    }

    private static String selves(int number) {
        return items(number, i -> "'r" + i + "': " + SELF);
    }

    /* Nested groups. Each replaces every character 1 in its definition by a member's name of three characters. */
    private static String groups(int depth) {
        if (depth == 0) {
            return "{'type': 'OS::Heat::None', 'properties': {'x': '" + "1".repeat(1_000) + "'}}";
        }
        return "{'type': 'OS::Heat::ResourceGroup', 'properties': {'index_var': '1', 'removal_policies':"
                + " [{'resource_list': ["
                + items(111, i -> "'" + i + "'") + "]}], 'resource_def': " + groups(depth - 1) + "}}";
    }

    private static String items(int number, IntFunction<String> item) {
        return IntStream.range(0, number).mapToObj(item).collect(Collectors.joining(","));
    }

    private static String map(int number, IntFunction<String> entry) {
        return "{" + items(number, entry) + "}";
    }

    private static String template(String sections, String resources) {
        return template("t.yaml", sections, resources);
    }

    private static String template(String name, String sections, String resources) {
        return document(
                "heat/Template/v1",
                name,
                "{'heat_template_version': 'rocky', " + (sections.isEmpty() ? "" : sections + ", ") + "'resources': {"
                        + resources + "}}");
    }

    private static String environment(String sections) {
        return document("heat/Environment/v1", "e.yaml", "{" + sections + "}");
    }

    private static String document(String schema, String name, String data) {
        return ("{'schema': '" + schema + "', 'metadata': {'schema': 'metadata/Document/v1', 'name': '" + name
                        + "', 'storagePolicy': 'cleartext', 'layeringDefinition': {'layer': 'site'}}, 'data': " + data
                        + "}")
                .replace('\'', '"');
    }

    private void shape(String name, String... documents) {
        shapes.put(name, List.of(documents));
    }

    /** Prints the time that each shape takes. */
    public static void main(String[] arguments) {
        new GrowingTrees().shapes.forEach((name, documents) -> {
            for (String mode : List.of("deep", "as-heat")) {
                long start = System.nanoTime();
                String came = came(documents, mode);
                System.err.println((System.nanoTime() - start) / 1_000_000 + " ms " + name);
                System.out.println(name + ", " + mode + ": " + came);
            }
        });
    }

    private static String came(List<String> documents, String mode) {
        boolean hasEnvironment = documents.stream().anyMatch(each -> each.contains("heat/Environment/v1"));
        String environments = hasEnvironment ? "['e.yaml'" + ",'e.yaml'".repeat(2_000) + "]" : "[]";
        List<MapValue> all = new ArrayList<>(List.of(Json.map(POLICY)));
        documents.forEach(each -> all.add(Json.map(each)));
        all.add(Json.map(document(
                "heat/Stack/v1",
                "s",
                "{'template': 't.yaml', 'max_nested_depth': 50, 'mode': '" + mode + "', 'environments': " + environments
                        + "}")));
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());
        workspace.putBucket("b", all);
        Problem problem = workspace
                .head()
                .evaluation(new DocumentId("heat/Stack/v1", "site", "s"))
                .problem();
        return problem == null ? "sound" : problem.code().code();
    }
}
