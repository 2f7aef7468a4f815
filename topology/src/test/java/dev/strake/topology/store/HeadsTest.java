package dev.strake.topology.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.topology.TopologyHarness;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many heads are held: as many as there is room for, and those used last. */
class HeadsTest {

    private static final Duration IDLE = Duration.ofMinutes(30);
    private static final String DOCUMENT = """
            schema: example/Thing/v1
            metadata: {schema: metadata/Document/v1, name: thing-%d, storagePolicy: cleartext,
                       layeringDefinition: {layer: site}}
            data: {}
            """;

    /** What a head without documents is taken to weigh. */
    private static final long EMPTY = 4_096;

    private static final long SMALL = EMPTY + 1_024;
    private static final long LARGE = EMPTY + 10 * 1_024;

    private final TopologyHarness strake = new TopologyHarness();
    private Workspace small;
    private Workspace large;

    @BeforeEach
    void publish() {
        small = published("small", 1);
        large = published("large", 10);
    }

    @AfterEach
    void close() {
        strake.close();
    }

    private Workspace published(String workspace, int documents) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < documents; i++) {
            text.append("---\n").append(DOCUMENT.formatted(i));
        }
        strake.send(workspace, text.toString());
        return new StateReader(strake::store, InstalledKeys.NONE).open(workspace);
    }

    private final LiveHeads live = new LiveHeads();

    private Heads heads(CacheBudget budget) {
        return new Heads(new StateReader(strake::store, InstalledKeys.NONE), IDLE, budget, live);
    }

    @Test
    void shouldHoldNoMoreHeadsThanThereIsRoomForHoweverManyWorkspacesAreTouched() {
        Heads heads = heads(new CacheBudget(1_000 * SMALL, 1));
        for (int i = 0; i < 50_000; i++) {
            heads.put("ws-" + i, small, i);
            assertThat(heads.size()).isLessThanOrEqualTo(1_000);
        }
        assertThat(heads.size()).isEqualTo(1_000);
        assertThat(heads.holds("ws-49999")).isTrue();
        assertThat(heads.holds("ws-49000")).isTrue();
        assertThat(heads.holds("ws-48999")).isFalse();
    }

    @Test
    void shouldDropThoseUsedLongestAgoFirstAndNeverTheOneInUse() {
        Heads heads = heads(new CacheBudget(2 * SMALL, 1));
        heads.put("small", small, 1);
        heads.put("other", small, 2);
        heads.get("small", 3);
        heads.put("third", small, 4);
        assertThat(heads.holds("other")).isFalse();
        assertThat(heads.holds("small")).isTrue();

        heads.put("large", large, 5);
        assertThat(heads.size()).as("larger than the budget").isEqualTo(1);
        heads.tidy(6);
        assertThat(heads.holds("large")).isTrue();
        assertThat(heads.get("small", 7).graph().size()).isEqualTo(1);
        assertThat(heads.size()).isEqualTo(1);
    }

    @Test
    void shouldDropWhatIsIdle() {
        Heads heads = heads(new CacheBudget(1L << 30, 1));
        heads.put("one", small, 0);
        heads.put("two", small, 1);
        heads.tidy(IDLE.toMillis());
        assertThat(heads.holds("one")).isFalse();
        assertThat(heads.holds("two")).isTrue();
        heads.tidy(IDLE.toMillis() + 1);
        assertThat(heads.size()).isZero();
    }

    @Test
    void shouldShareOneBudgetAmongAllTasks() {
        CacheBudget budget = new CacheBudget(10 * LARGE, 2);
        Heads first = heads(budget);
        for (int i = 0; i < 10; i++) {
            first.put("ws-" + i, large, i);
        }
        assertThat(first.size()).as("what the other leaves").isEqualTo(10);
        Heads second = heads(budget);
        for (int i = 0; i < 10; i++) {
            second.put("ws-" + i, large, i);
            first.tidy(i);
        }
        assertThat(first.size() + second.size()).isLessThanOrEqualTo(11);
        assertThat(second.size()).isGreaterThanOrEqualTo(5);
        first.close();
        second.put("more", large, 20);
        for (int i = 0; i < 10; i++) {
            second.put("more-" + i, large, i);
        }
        assertThat(second.size()).as("all of it").isEqualTo(10);
    }

    @Test
    void shouldCountAGrownHeadOnce() {
        CacheBudget budget = new CacheBudget(2 * LARGE, 1);
        Heads heads = heads(budget);
        heads.put("one", small, 0);
        for (int i = 0; i < 10; i++) {
            heads.put("one", large, i);
        }
        heads.put("two", large, 11);
        assertThat(heads.size()).isEqualTo(2);
    }
}
