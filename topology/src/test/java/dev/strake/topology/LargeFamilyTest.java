package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A change that reaches so many documents that all processors work on them. */
class LargeFamilyTest {

    private static final int CHILDREN = 300;
    private static final TopologySettings HOLDING_DOCUMENTS =
            TopologySettings.of(1).holdingDocuments(true);
    private static final String ORDINARY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            ---
            schema: deckhand/DataSchema/v1
            metadata: {schema: metadata/Control/v1, name: example/Thing/v1}
            data: {properties: {size: {type: integer}, text: {pattern: "^[a-z ]*$"}}}
            ---
            schema: deckhand/Passphrase/v1
            metadata:
              schema: metadata/Document/v1
              name: word
              storagePolicy: cleartext
              layeringDefinition: {layer: global}
            data: open sesame
            """;
    private static final String PARENT = """
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: parent
              storagePolicy: cleartext
              labels: {family: a}
              layeringDefinition: {layer: global, abstract: true}
            data: {size: %s, text: say WORD}
            """;
    private static final String CHILD = """
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: child-%d
              storagePolicy: cleartext
              layeringDefinition:
                layer: site
                parentSelector: {family: a}
                actions: [{method: merge, path: .}]
              substitutions:
              - src: {schema: deckhand/Passphrase/v1, name: word, path: .}
                dest: {path: %s, pattern: WORD}
            data: {number: %d}
            """;

    /* Every seventh looks for the word where the parent has no text, and cannot be rendered. */
    private static List<String> children() {
        List<String> result = new ArrayList<>();
        for (int i = 0; i < CHILDREN; i++) {
            result.add(CHILD.formatted(i, i % 7 == 0 ? ".size" : ".text", i));
        }
        return result;
    }

    private static String of(String parent, List<String> children) {
        return ORDINARY + "---\n" + parent + "---\n" + String.join("---\n", children);
    }

    private static Outcome put(TopologyHarness strake, String documents) {
        return strake.send(WORKSPACE, documents, "ce_type", ChangeType.DOCUMENTS_PUT.text());
    }

    private static Map<String, String> texts(TopologyHarness strake) {
        Map<String, String> result = new TreeMap<>();
        strake.rendered().forEach((key, value) -> result.put(key, new String(value, StandardCharsets.UTF_8)));
        return result;
    }

    @Test
    void shouldComeToTheSameWhetherChildrenAreReachedAtOnceOrOneByOne() {
        TopologySettings nothingInMemory = HOLDING_DOCUMENTS.caching(0);
        try (TopologyHarness atOnce = new TopologyHarness(nothingInMemory);
                TopologyHarness oneByOne = new TopologyHarness(nothingInMemory)) {
            put(atOnce, of(PARENT.formatted("1"), children()));
            Outcome moved = put(atOnce, PARENT.formatted("2"));

            put(oneByOne, ORDINARY + "---\n" + PARENT.formatted("2"));
            children().forEach(child -> put(oneByOne, child));

            assertThat(moved.work().evaluated()).isEqualTo(1 + CHILDREN);
            assertThat(texts(atOnce)).isEqualTo(texts(oneByOne)).hasSizeGreaterThan(CHILDREN / 2);
            assertThat(atOnce.problems()).isEqualTo(oneByOne.problems()).hasSize((CHILDREN + 6) / 7);
        }
    }

    @Test
    void shouldHoldBackEveryChildThatBreaksItsSchemaAndNoOther() {
        try (TopologyHarness strake = new TopologyHarness(HOLDING_DOCUMENTS)) {
            put(strake, of(PARENT.formatted("1"), children()));
            Map<String, String> before = texts(strake);
            put(strake, PARENT.formatted("many"));
            assertThat(strake.problems()).hasSize(CHILDREN);
            assertThat(texts(strake)).isEqualTo(before).hasSizeGreaterThan(CHILDREN / 2);
            put(strake, PARENT.formatted("1"));
            assertThat(strake.lastRendered()).isEmpty();
        }
    }
}
