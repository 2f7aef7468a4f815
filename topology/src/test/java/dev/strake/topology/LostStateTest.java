package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.POLICY;
import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.render.DerivedContents.UnderivableException;
import dev.strake.serdes.bytes.UnreadableStoreException;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.LayerGraphLayout;
import dev.strake.topology.layout.RevisionsLayout;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A store that lost entries stops the task with a clear error. It never answers as if the entries had not existed. */
class LostStateTest {

    @AutoClose
    private final TopologyHarness strake = new TopologyHarness();

    @Test
    void shouldContinueFromCompleteState() {
        publishTwoRevisions();
        try (TopologyHarness restored = strake.restored()) {
            assertThat(restored.put(document("a", 3), "ce_id", "next").status()).isEqualTo(OutcomeStatus.RENDERED);
        }
    }

    @Test
    void shouldStopWhenTheHeadOfADocumentIsLost() {
        publishTwoRevisions();
        Map<String, Map<String, byte[]>> stores = strake.dump();
        String prefix = new String(LayerGraphLayout.headPrefix(WORKSPACE), StandardCharsets.ISO_8859_1);
        String lost = stores.get(LayerGraphLayout.STORE).keySet().stream()
                .filter(key -> key.startsWith(prefix))
                .findFirst()
                .orElseThrow();
        stores.get(LayerGraphLayout.STORE).remove(lost);
        assertStops(stores);
    }

    @Test
    void shouldStopWhenOnlyTheLastRevisionIsLost() {
        publishTwoRevisions();
        Map<String, Map<String, byte[]>> stores = strake.dump();
        String last = new String(RevisionsLayout.key(WORKSPACE, 2), StandardCharsets.ISO_8859_1);
        assertThat(stores.get(RevisionsLayout.STORE).remove(last)).isNotNull();
        assertStops(stores);
    }

    @Test
    void shouldStopWhenAStoredDocumentDiffersFromTheRenderedOne() {
        String parent = document("parent", 1).replace("cleartext,", "cleartext, labels: {is: parent},");
        String middle = document("middle", 1)
                .replace("cleartext,", "cleartext, labels: {is: middle},")
                .replace(
                        "layer: site",
                        "layer: site, parentSelector: {is: parent}, actions: [{method: merge, path: .}]");
        String child = document("child", 1)
                .replace(
                        "layer: site",
                        "layer: rack, parentSelector: {is: middle}, actions: [{method: merge, path: .}]");
        strake.putBucket(POLICY.replace("[global, site]", "[top, site, rack]") + "---\n"
                + parent.replace("layer: site", "layer: top") + "---\n" + middle + "---\n" + child);
        Map<String, Map<String, byte[]>> stores = strake.dump();
        stores.get(DocumentsLayout.STORE).replaceAll((key, value) -> {
            String text = new String(value, StandardCharsets.ISO_8859_1);
            return text.contains("\"parent\"}")
                    ? text.replace("\"value\":1", "\"value\":7").getBytes(StandardCharsets.ISO_8859_1)
                    : value;
        });
        try (TopologyHarness restored = strake.restoredFrom(stores)) {
            assertThatThrownBy(() -> Whole.rendered(restored.queries(), WORKSPACE, 1))
                    .isInstanceOf(UnderivableException.class)
                    .hasMessageContaining("the result differs");
            assertThatThrownBy(() -> restored.put(child.replace("value: 1", "value: 3"), "ce_id", "next"))
                    .rootCause()
                    .isInstanceOf(UnderivableException.class)
                    .hasMessageContaining("middle")
                    .hasMessageContaining("the result differs");
        }
    }

    private void publishTwoRevisions() {
        strake.putBucket(POLICY + "---\n" + document("a", 1) + "---\n" + document("b", 1));
        strake.put(document("a", 2));
    }

    private static String document(String name, int value) {
        return """
                {schema: example/Thing/v1, data: {value: %d},
                 metadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, layeringDefinition: {layer: site}}}
                """.formatted(value, name);
    }

    private void assertStops(Map<String, Map<String, byte[]>> stores) {
        try (TopologyHarness restored = strake.restoredFrom(stores)) {
            assertThatThrownBy(() -> restored.put(document("b", 3), "ce_id", "next"))
                    .hasRootCauseInstanceOf(UnreadableStoreException.class)
                    .rootCause()
                    .hasMessageContaining("store layer-graph")
                    .hasMessageContaining("entries are missing");
        }
    }
}
