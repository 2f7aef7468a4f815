package dev.strake.topology;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Templates that want to cost more than they are worth, as documents: each ends in a problem of its stack, other documents
 * are rendered as always, and the stack comes back with a sound template.
 */
class HostileStacksTest {

    private static final String WS = TopologyHarness.WORKSPACE;
    private static final String PROBLEM = WS + "|heat/Stack/v1|site|shop";
    private static final String TOP = WS + "|heat/ParameterSchema/v1|shop";
    private static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [site]}
            """;
    private static final String CHILD = "{heat_template_version: rocky, parameters: {p: {type: json}}}";
    private static final String SOUND = "{heat_template_version: rocky, resources: {c: {type: child.yaml}}}";

    /* Six aliases of six aliases, and so on: written out, more nodes than any machine holds. */
    private static final String BOMB = "{a0: &a0 [x, x, x, x, x, x]"
            + IntStream.range(1, 60)
                    .mapToObj(i -> ", a%d: &a%d [%s]".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(6)))
                    .collect(joining())
            + "}";

    static Stream<Arguments> hostiles() {
        StringBuilder itself = new StringBuilder();
        for (int i = 0; i < 900; i++) {
            itself.append("r").append(i).append(": {type: top.yaml}, ");
        }
        StringBuilder lists = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            lists.append("'%").append(i).append("%': [a, b, c, d, e, f, g, h, i, j], ");
        }
        String grown = "A";
        for (int i = 0; i < 12; i++) {
            grown = "{str_replace: {template: " + grown + ", params: {A: AAAAAAAAAA}}}";
        }
        return Stream.of(
                Arguments.of("nests itself", resources(itself.toString()), "InvalidTemplateTree"),
                Arguments.of(
                        "a huge repeat",
                        child("{repeat: {template: '%0%', for_each: {" + lists + "}}}"),
                        "LimitExceeded"),
                Arguments.of("a text that grows tenfold", child(grown), "LimitExceeded"),
                Arguments.of(
                        "a YAQL expression that grows fourfold",
                        child("{yaql: {expression: '[1, 2]" + ".selectMany([$, $, $, $])".repeat(40) + "', data: 1}}"),
                        "LimitExceeded"),
                Arguments.of(
                        "a chain of 20,001 members",
                        resources("c: {type: 'OS::Heat::ResourceChain', properties: {resources: ["
                                + "child.yaml, ".repeat(20_000) + "child.yaml]}}"),
                        "LimitExceeded"),
                Arguments.of("mappings in a circle", resources("c: {type: 'a::B'}"), "InvalidTemplateTree"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostiles")
    void shouldEndInAProblemOfTheStack(String name, String hostile, String code) {
        try (TopologyHarness strake = new TopologyHarness(TopologySettings.of(1).holdingDocuments(true))) {
            Outcome outcome = strake.send(WS, shop(hostile));

            assertThat(outcome.status()).isEqualTo(OutcomeStatus.PARTIAL);
            assertThat(strake.problems().get(PROBLEM)).contains("\"" + code + "\"");
            assertThat(strake.rendered()).containsKey(WS + "|heat/Template/v1|child.yaml");

            Outcome mended = strake.send(WS, shop(SOUND));

            assertThat(mended.status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(strake.problems()).doesNotContainKey(PROBLEM);
            assertThat(strake.rendered()).containsKey(TOP).containsKey(TOP + "/c");
        }
    }

    @ParameterizedTest
    @CsvSource({"heat/Template/v1, top.yaml", "heat/Environment/v1, env.yaml", "heat/File/v1, file.yaml"})
    void shouldRejectABombOfAliases(String schema, String name) {
        try (TopologyHarness strake = new TopologyHarness(TopologySettings.of(1).holdingDocuments(true))) {
            assertThat(strake.send(WS, shop(SOUND)).status()).isEqualTo(OutcomeStatus.RENDERED);
            Map<String, Map<String, byte[]>> before = strake.dump();

            Outcome outcome = put(strake, document(schema, name, BOMB));

            assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
            assertThat(outcome.problems()).extracting(Problem::code).containsExactly(ProblemCode.LIMIT_EXCEEDED);
            TopologyHarness.assertSameState(strake.dump(), before);
            assertThat(put(strake, document(schema, name, CHILD)).revision()).isEqualTo(2);
        }
    }

    /* Text in a document is not read as YAML, so a bomb stays as long as it is. */
    @ParameterizedTest
    @CsvSource({
        "heat/Template/v1, top.yaml",
        "heat/Template/v1, child.yaml",
        "heat/File/v1, child.yaml",
        "heat/Environment/v1, env.yaml"
    })
    void shouldNotReadABombOfAliasesInText(String schema, String name) {
        try (TopologyHarness strake = new TopologyHarness(TopologySettings.of(1).holdingDocuments(true))) {
            String others = Stream.of(shop(SOUND).split("(?m)(?=^---)", -1))
                    .filter(each -> !each.contains("name: " + name + ","))
                    .collect(joining());

            Outcome outcome = strake.send(WS, others + document(schema, name, "|\n  " + BOMB));

            assertThat(outcome.status()).isEqualTo(OutcomeStatus.PARTIAL);
            assertThat(strake.problems().get(PROBLEM))
                    .contains("\"InvalidTemplateTree\"")
                    .contains(name);
            assertThat(strake.send(WS, shop(SOUND)).status()).isEqualTo(OutcomeStatus.RENDERED);
        }
    }

    private static Outcome put(TopologyHarness strake, String documents) {
        return strake.send(WS, documents, "ce_type", "dev.strake.documents.put");
    }

    /* A stack with all that it reads. */
    private static String shop(String template) {
        return POLICY
                + document("heat/Template/v1", "child.yaml", CHILD)
                + document("heat/Environment/v1", "env.yaml", "{resource_registry: {'a::B': 'c::D', 'c::D': 'a::B'}}")
                + document("heat/Stack/v1", "shop", "{template: top.yaml, environments: [env.yaml]}")
                + document("heat/Template/v1", "top.yaml", template);
    }

    private static String resources(String resources) {
        return "{heat_template_version: rocky, resources: {" + resources + "}}";
    }

    private static String child(String value) {
        return resources("c: {type: child.yaml, properties: {p: " + value + "}}");
    }

    private static String document(String schema, String name, String data) {
        return """
                ---
                schema: %s
                metadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, layeringDefinition: {layer: site}}
                data: %s
                """.formatted(schema, name, data);
    }
}
