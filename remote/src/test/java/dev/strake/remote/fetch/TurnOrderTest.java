package dev.strake.remote.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.fetch.attempt.Story;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.rendered.RenderedRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The workspaces of two partitions share the workers. */
class TurnOrderTest {

    private final Resources first = loaded();
    private final Resources second = loaded();
    private final Map<Integer, Resources> partitions = Map.of(0, first, 1, second);

    private static Resources loaded() {
        Resources resources = new Resources(Duration.ofMinutes(5), new Random(1));
        resources.loaded();
        return resources;
    }

    private static void resources(Resources partition, String workspace, int count, long now) {
        for (int i = 0; i < count; i++) {
            RenderedRecord record =
                    Story.record(new DocumentKey(ObjectDocument.REMOTE_RESOURCE, "r" + i), "{requests: []}");
            partition.resource(
                    new RenderedRecord(
                            new RenderedKey(workspace, record.key().document()), record.document(), record.headers()),
                    now);
        }
    }

    private List<String> begin() {
        List<TurnOrder.Turn> turns = TurnOrder.next(partitions, 1_000);
        turns.forEach(turn -> turn.resource().isRunning = true);
        return turns.stream().map(turn -> turn.resource().key.workspace()).toList();
    }

    private void end(Resources partition, String workspace) {
        Resources.Tracked one = partition.running().stream()
                .filter(each -> each.key.workspace().equals(workspace))
                .findFirst()
                .orElseThrow();
        one.isRunning = false;
        one.isPlanned = false;
    }

    @Test
    void shouldKeepWorkersFreeForOtherWorkspaces() {
        resources(first, "large", 1_000, 0);
        assertThat(begin()).hasSize(6).containsOnly("large");
        assertThat(begin()).isEmpty();
        resources(second, "small", 1, 500);
        assertThat(begin()).containsExactly("small");
    }

    @Test
    void shouldGiveAFreeWorkerToTheWorkspaceWithTheFewestWorkers() {
        resources(first, "a", 1_000, 0);
        resources(second, "b", 1_000, 1);
        assertThat(begin()).containsExactlyInAnyOrder("a", "b", "a", "b", "a", "b", "a", "b");
        resources(first, "c", 1, 500);
        assertThat(begin()).isEmpty();
        end(first, "a");
        assertThat(begin()).containsExactly("c");
        end(second, "b");
        assertThat(begin()).containsExactly("a");
        end(first, "c");
        assertThat(begin()).containsExactly("b");
    }

    @Test
    void shouldStartWithTheLongestDueResource() {
        resources(first, "later", 9, 20);
        resources(second, "sooner", 9, 10);
        assertThat(begin()).startsWith("sooner", "later").hasSize(8);
    }

    @Test
    void shouldStartNothingOfAnUnreadPartition() {
        Resources reading = new Resources(Duration.ofMinutes(5), new Random(1));
        resources(reading, "a", 3, 0);
        assertThat(TurnOrder.next(Map.of(0, reading), 1_000)).isEmpty();
    }
}
