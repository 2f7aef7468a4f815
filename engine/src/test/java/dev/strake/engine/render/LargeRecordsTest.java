package dev.strake.engine.render;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Trees of children share parts of their parent's tree. Records do not, and take the memory for each child. */
class LargeRecordsTest {

    private static final int CHILDREN = 200;
    private static final int PARENT_BYTES = 1 << 20;
    private static final long MOST_BYTES = 32L << 20;

    /** Works on one thread, and counts items found at the same time: no result is stored before all are found. */
    private static final class Counting implements Workers {

        private long largest;

        @Override
        public <T, R> List<R> each(List<T> items, Function<T, R> work) {
            List<R> found = ONE.each(items, work);
            long bytes = 0;
            for (R each : found) {
                RecordJson record = ((Inspection) each).record();
                bytes += record == null ? 0 : record.json().length;
            }
            largest = Math.max(largest, bytes);
            return found;
        }
    }

    private static MapValue parent(String data) {
        return document("t/A/v1", "parent")
                .in("top")
                .isAbstract()
                .labels("{'family':'f'}")
                .data(data);
    }

    @Test
    void shouldHoldNoMoreRecordsAtOnceThanAreKept() {
        Counting workers = new Counting();
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingRevisions().with(workers));
        List<MapValue> documents = new ArrayList<>();
        documents.add(TestDocument.layers("top", "leaf"));
        documents.add(parent("{'text':'" + "x".repeat(PARENT_BYTES) + "'}"));
        for (int i = 0; i < CHILDREN; i++) {
            documents.add(document("t/A/v1", "c" + i)
                    .in("leaf")
                    .over("{'family':'f'}")
                    .data("{'number':" + i + "}"));
        }

        Update update = workspace.putBucket("b", documents);

        assertThat(update.emissions()).hasSize(1 + CHILDREN);
        assertThat(workers.largest).isPositive().isLessThanOrEqualTo(MOST_BYTES);
        assertThat(update.results().records().values().stream()
                        .mapToLong(record -> record.json().length)
                        .sum())
                .isBetween(MOST_BYTES - 2 * PARENT_BYTES, MOST_BYTES);
    }

    /** Each document of the middle layer writes its name into the text of a megabyte, so no part of it is shared. */
    private static List<MapValue> threeLayers(int middle, String dest) {
        List<MapValue> documents = new ArrayList<>();
        documents.add(TestDocument.layers("top", "middle", "leaf"));
        documents.add(parent("{'text':'NAME" + "x".repeat(PARENT_BYTES) + "'}"));
        documents.add(document("t/A/v1", "name").in("top").data("'me'"));
        for (int i = 0; i < middle; i++) {
            documents.add(document("t/A/v1", "m" + i)
                    .in("middle")
                    .labels("{'of':'" + i + "'}")
                    .over("{'family':'f'}")
                    .taking("{'schema':'t/A/v1','name':'name','path':'.'}", dest)
                    .data("{'number':" + i + "}"));
            documents.add(document("t/A/v1", "l" + i)
                    .in("leaf")
                    .over("{'of':'" + i + "'}")
                    .data("{'leaf':" + i + "}"));
        }
        return documents;
    }

    @Test
    void shouldRejectAChangeThatWouldHoldTooMuchData() {
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingRevisions());

        assertThatThrownBy(() -> workspace.putBucket("b", threeLayers(130, "{'path':'.text','pattern':'NAME'}")))
                .isInstanceOf(ChangeEffort.ExceededException.class)
                .hasMessageContaining("would hold more than " + HeapLimit.MOST + " bytes");
    }

    @Test
    void shouldNotCountDataThatDocumentsShare() {
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingRevisions());

        Update update = workspace.putBucket("b", threeLayers(130, "{'path':'.name'}"));

        assertThat(update.emissions()).hasSize(2 + 2 * 130);
    }

    @Test
    void shouldMakeNoRecordsWithoutPublishing() {
        List<MapValue> documents = threeLayers(2, "{'path':'.name'}");
        Renderer renderer = Renderer.holdingRevisions();

        Update published = new TestWorkspace(renderer).putBucket("b", documents);
        Update unpublished = new TestWorkspace(renderer.publishingNothing()).putBucket("b", documents);

        assertThat(published.results().records()).hasSize(published.emissions().size());
        assertThat(unpublished.results().records()).isEmpty();
        assertThat(unpublished.emissions()).isEqualTo(published.emissions());
    }

    @Test
    void shouldKeepNoDataOfDocumentsWithoutDependents() {
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingRevisions());

        Update update = workspace.putBucket("b", threeLayers(40, "{'path':'.name'}"));

        assertThat(update.results().data()).hasSize(40);
        assertThat(update.results().records().size())
                .isLessThan(update.emissions().size());
    }
}
