package dev.strake.topology.store;

import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.topology.TopologyHarness;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Where parents are expensive to find, opening a workspace reads them from its store. */
class StoredParentsTest {

    private static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [upper, lower]}
            """;
    private static final String PARENT = """
            ---
            schema: example/Thing/v1
            metadata:
              {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, labels: {%s}, layeringDefinition: {layer: upper}}
            data: {from: %s}
            """;
    private static final String CHILD = """
            ---
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: %s
              storagePolicy: cleartext
              layeringDefinition: {layer: lower, parentSelector: {%s}, actions: [{method: merge, path: .}]}
            data: {}
            """;

    @AutoClose
    private TopologyHarness strake = new TopologyHarness();

    private static String family(String... firstLabels) {
        StringBuilder text = new StringBuilder(POLICY);
        for (int i = 0; i < firstLabels.length; i++) {
            text.append(PARENT.formatted("first" + i, firstLabels[i], "first" + i));
        }
        for (int i = 0; i < 300; i++) {
            text.append(PARENT.formatted("other" + i, "x: one, y: one", "other"));
        }
        text.append(CHILD.formatted("child", "x: one, y: null"));
        text.append(CHILD.formatted("lost", "x: one, v: null"));
        return text.toString();
    }

    private static DocumentId child(String name) {
        return new DocumentId("example/Thing/v1", "lower", name);
    }

    private static DocumentId first(int number) {
        return new DocumentId("example/Thing/v1", "upper", "first" + number);
    }

    private Graph opened() {
        return new StateReader(strake::store, InstalledKeys.NONE)
                .open(WORKSPACE)
                .graph();
    }

    @Test
    void shouldKeepParentsAfterARestart() {
        strake.put(family("x: one", "x: two"));
        assertThat(opened().parent(child("child"))).isEqualTo(first(0));
        assertThat(opened().node(child("lost")).decision().problem().message())
                .contains("matches 301 documents in layer upper");
        try (TopologyHarness alone = strake.restored()) {
            String moved = family("x: two", "x: one");
            alone.put(moved, "ce_id", "next");
            strake.put(moved, "ce_id", "next");
            TopologyHarness.assertSameState(alone.dump(), strake.dump());
        }
        assertThat(opened().parent(child("child"))).isEqualTo(first(1));
    }

    @Test
    void shouldReadTheParentsOfAnEarlierRevision() {
        strake.put(family("x: one", "x: two"));
        strake.put(family("x: two", "x: one"));
        StateReader state = new StateReader(strake::store, InstalledKeys.NONE);

        assertThat(new StoredRevision(state, WORKSPACE, 1).derived().graph().parent(child("child")))
                .isEqualTo(first(0));
        assertThat(new StoredRevision(state, WORKSPACE, 2).derived().graph().parent(child("child")))
                .isEqualTo(first(1));
    }
}
