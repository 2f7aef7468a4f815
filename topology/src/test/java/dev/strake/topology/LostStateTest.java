package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.serdes.bytes.UnreadableStoreException;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.store.LayerGraphLayout;
import dev.strake.serdes.store.RevisionsLayout;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that lost entries stops the task with words; it never answers as if they had not been. */
class LostStateTest {

    private final TopologyHarness strake = new TopologyHarness();

    @AfterEach
    void close() {
        strake.close();
    }

    @Test
    void shouldGoOnFromStateThatIsWhole() {
        publishTwoRevisions();
        try (TopologyHarness restored = strake.restored()) {
            assertThat(restored.send(
                                    WORKSPACE, document("a", 3), "ce_type", "dev.strake.documents.put", "ce_id", "next")
                            .status())
                    .isEqualTo(OutcomeStatus.RENDERED);
        }
    }

    @Test
    void shouldStopWhenADocumentsHeadIsLost() {
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
    void shouldStopWhenTheLastRevisionIsLostAndItsDocumentsAreNot() {
        publishTwoRevisions();
        Map<String, Map<String, byte[]>> stores = strake.dump();
        String last = new String(RevisionsLayout.key(WORKSPACE, 2), StandardCharsets.ISO_8859_1);
        assertThat(stores.get(RevisionsLayout.STORE).remove(last)).isNotNull();
        assertStops(stores);
    }

    private void publishTwoRevisions() {
        String policy = """
                {schema: deckhand/LayeringPolicy/v1, metadata: {schema: metadata/Control/v1, name: policy},
                 data: {layerOrder: [site]}}
                """;
        strake.send(WORKSPACE, policy + "---\n" + document("a", 1) + "---\n" + document("b", 1));
        strake.send(WORKSPACE, document("a", 2), "ce_type", "dev.strake.documents.put");
    }

    private static String document(String name, int value) {
        return """
                {schema: example/Thing/v1, data: {value: %d},
                 metadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, layeringDefinition: {layer: site}}}
                """.formatted(value, name);
    }

    private void assertStops(Map<String, Map<String, byte[]>> stores) {
        try (TopologyHarness restored = strake.restoredFrom(stores)) {
            assertThatThrownBy(() -> restored.send(
                            WORKSPACE, document("b", 3), "ce_type", "dev.strake.documents.put", "ce_id", "next"))
                    .hasRootCauseInstanceOf(UnreadableStoreException.class)
                    .rootCause()
                    .hasMessageContaining("store layer-graph")
                    .hasMessageContaining("entries are missing");
        }
    }
}
