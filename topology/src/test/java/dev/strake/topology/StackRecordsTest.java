package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.query.Differences.Difference;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stacks of Heat templates in dry runs, in the history, after a restart, and in answers about the head. */
class StackRecordsTest {

    private static final String WS = TopologyHarness.WORKSPACE;
    private static final String SCHEMA = "heat/ParameterSchema/v1";
    private static final DocumentId STACK = new DocumentId("heat/Stack/v1", "site", "shop");
    private static final DocumentId LEAF = new DocumentId("heat/Template/v1", "site", "leaf.yaml");
    private static final DocumentKey DB = new DocumentKey(SCHEMA, "shop/db");
    private static final String POLICY = """
        schema: deckhand/LayeringPolicy/v1
        metadata: {schema: metadata/Control/v1, name: policy}
        data: {layerOrder: [global, site]}
        """;
    private static final String TOP = document("heat/Template/v1", "top.yaml", """
        {heat_template_version: rocky, parameters: {zone: {type: string}},
         resources: {db: {type: leaf.yaml, properties: {name: {get_param: zone}}}}}\
        """);
    private static final String ENVIRONMENT =
            document("heat/Environment/v1", "env.yaml", "{parameter_defaults: {zone: north}}");
    private static final String OWNER =
            document("heat/Stack/v1", "shop", "{template: top.yaml, environments: [env.yaml]}");

    private final TopologyHarness strake = new TopologyHarness();

    @BeforeEach
    void publish() {
        assertThat(strake.send(WS, POLICY + TOP + leaf(20) + ENVIRONMENT + OWNER)
                        .status())
                .isEqualTo(OutcomeStatus.RENDERED);
    }

    @AfterEach
    void close() {
        strake.close();
    }

    @Test
    void shouldNotTakeUpWhatWasOnlyPlanned() {
        put(leaf(40), "dry-run", "true");
        put(
                document("heat/Template/v1", "top.yaml", "{heat_template_version: rocky, resources: {}}"),
                "dry-run",
                "true");

        put(leaf(60));

        assertThat(rendered(strake).get(key("shop/db"))).contains("\"Default\":60");
        assertThat(rendered(strake)).isEqualTo(fromNothing(leaf(60)));
    }

    @Test
    void shouldTellWhatAStackWasInAnEarlierRevisionAndWhatDiffers() {
        String first = rendered(strake).get(key("shop/db"));
        put(leaf(40));
        put(document("heat/Template/v1", "top.yaml", "{heat_template_version: rocky, resources: {}}"));

        assertThat(renderedAt(1)).contains(first);
        assertThat(renderedAt(2)).anyMatch(each -> each.contains("shop/db") && each.contains("\"Default\":40"));
        assertThat(renderedAt(3)).noneMatch(each -> each.contains("shop/db"));
        assertThat(strake.queries().diff(WS, 1, 2).rendered())
                .containsEntry(DB, Difference.MODIFIED)
                .doesNotContainKey(new DocumentKey(SCHEMA, "shop"));
        assertThat(strake.queries().diff(WS, 2, 3).rendered()).containsEntry(DB, Difference.DELETED);
        assertThat(strake.queries().owner(WS, DB, 2)).contains(STACK);
        assertThat(strake.queries().owner(WS, DB, 3)).isEmpty();
    }

    @Test
    void shouldFollowATemplateThatAppearsAfterARestart() {
        strake.delete(WS, "default", List.of(LEAF));
        assertThat(strake.problems().get(WS + "|heat/Stack/v1|site|shop")).contains("template-missing");
        try (TopologyHarness restored = strake.restored()) {
            Outcome back = restored.send(WS, leaf(60), "ce_type", "dev.strake.documents.put", "ce_id", "back");
            assertThat(back.status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(rendered(restored).get(key("shop/db"))).contains("\"Default\":60");
        }
    }

    private Outcome put(String documents, String... headers) {
        String[] all = new String[headers.length + 2];
        all[0] = "ce_type";
        all[1] = "dev.strake.documents.put";
        System.arraycopy(headers, 0, all, 2, headers.length);
        return strake.send(WS, documents, all);
    }

    private static Map<String, String> fromNothing(String leaf) {
        try (TopologyHarness fresh = new TopologyHarness()) {
            fresh.send(WS, POLICY + TOP + leaf + ENVIRONMENT + OWNER);
            return rendered(fresh);
        }
    }

    private static Map<String, String> rendered(TopologyHarness of) {
        Map<String, String> result = new TreeMap<>();
        of.rendered().forEach((key, value) -> result.put(key, TopologyHarness.text(value)));
        return result;
    }

    private List<String> renderedAt(long revision) {
        return strake.queries().rendered(WS, revision).stream()
                .map(tree -> new String(JsonBytes.of(tree), StandardCharsets.UTF_8))
                .toList();
    }

    private static String key(String name) {
        return WS + "|" + SCHEMA + "|" + name;
    }

    private static String leaf(int size) {
        return document("heat/Template/v1", "leaf.yaml", """
            {heat_template_version: rocky, parameters: {name: {type: string}, size: {type: number, default: %d}}}\
            """.formatted(size));
    }

    private static String document(String schema, String name, String data) {
        return """
            ---
            schema: %s
            metadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: %s
            """.formatted(schema, name, data.replace("\n", " "));
    }
}
