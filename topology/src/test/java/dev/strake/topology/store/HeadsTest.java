package dev.strake.topology.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.topology.TopologyHarness;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cache of heads keeps the most recently used ones, up to its capacity. */
class HeadsTest {

    private static final String DOCUMENT = """
            schema: example/Thing/v1
            metadata: {schema: metadata/Document/v1, name: thing-%d, storagePolicy: cleartext,
                       layeringDefinition: {layer: site}}
            data: {}
            """;

    /** The size that is counted for a head without documents. */
    private static final long EMPTY = 4_096;

    private static final long SMALL = EMPTY + 1_024;
    private static final long LARGE = EMPTY + 10 * 1_024;

    @AutoClose
    private final TopologyHarness strake = new TopologyHarness();

    private Workspace small;
    private Workspace large;

    @BeforeEach
    void publish() {
        small = published("small", 1);
        large = published("large", 10);
    }

    private Workspace published(String workspace, int documents) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < documents; i++) {
            text.append("---\n").append(DOCUMENT.formatted(i));
        }
        strake.send(workspace, text.toString());
        return new StateReader(strake::store, InstalledKeys.NONE).open(workspace);
    }

    private Heads heads(LiveHeads live) {
        return new Heads(new StateReader(strake::store, InstalledKeys.NONE), live);
    }

    @Test
    void shouldCacheHeadsOnlyUpToTheCapacity() {
        Heads heads = heads(new LiveHeads(1_000 * SMALL));
        for (int i = 0; i < 50_000; i++) {
            heads.put("ws-" + i, small);
        }
        assertThat(heads.holds("ws-49999")).isTrue();
        assertThat(heads.holds("ws-49000")).isTrue();
        assertThat(heads.holds("ws-48999")).isFalse();
    }

    @Test
    void shouldEvictTheLeastRecentlyUsedHeadButNeverTheCurrentOne() {
        LiveHeads live = new LiveHeads(2 * SMALL);
        Heads heads = heads(live);
        heads.put("small", small);
        heads.put("other", small);
        heads.get("small");
        heads.put("third", small);
        assertThat(heads.holds("other")).isFalse();
        assertThat(live.get("other")).isEmpty();
        assertThat(heads.holds("small")).isTrue();

        heads.put("large", large);
        assertThat(heads.holds("large")).as("larger than all there is").isTrue();
        assertThat(heads.holds("small")).isFalse();
        assertThat(heads.get("small").graph().size()).isEqualTo(1);
        assertThat(heads.holds("large")).isFalse();
    }

    @Test
    void shouldGiveAHeadToItsTaskOnlyAndTheLastOneToReaders() {
        LiveHeads live = new LiveHeads(1L << 30);
        Heads first = heads(live);
        Heads second = heads(live);
        first.put("one", small);
        assertThat(second.holds("one")).isFalse();
        second.put("one", large);
        first.close();
        assertThat(live.get("one")).contains(large);
        second.close();
        assertThat(live.get("one")).isEmpty();
    }

    @Test
    void shouldCountAGrownHeadOnce() {
        Heads heads = heads(new LiveHeads(2 * LARGE));
        heads.put("one", small);
        for (int i = 0; i < 10; i++) {
            heads.put("one", large);
        }
        heads.put("two", large);
        assertThat(heads.holds("one")).isTrue();
    }
}
