package dev.strake.engine.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.Json;
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

    private static MapValue document(String name, String layering, String data) {
        return Json.map("{'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'" + name
                + "','storagePolicy':'cleartext'," + layering + "},'data':" + data + "}");
    }

    @Test
    void shouldHoldNoMoreRecordsAtOneTimeThanAreKept() {
        Counting workers = new Counting();
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingRevisions().with(workers));
        List<MapValue> documents = new ArrayList<>();
        documents.add(Json.map(
                "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},"
                        + "'data':{'layerOrder':['top','leaf']}}"));
        documents.add(document(
                "parent",
                "'labels':{'family':'f'},'layeringDefinition':{'layer':'top','abstract':true}",
                "{'text':'" + "x".repeat(PARENT_BYTES) + "'}"));
        for (int i = 0; i < CHILDREN; i++) {
            documents.add(document(
                    "c" + i,
                    "'layeringDefinition':{'layer':'leaf','parentSelector':{'family':'f'},"
                            + "'actions':[{'method':'merge','path':'.'}]}",
                    "{'number':" + i + "}"));
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
        documents.add(Json.map(
                "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},"
                        + "'data':{'layerOrder':['top','middle','leaf']}}"));
        documents.add(document(
                "parent",
                "'labels':{'family':'f'},'layeringDefinition':{'layer':'top','abstract':true}",
                "{'text':'NAME" + "x".repeat(PARENT_BYTES) + "'}"));
        documents.add(document("name", "'layeringDefinition':{'layer':'top'}", "'me'"));
        String action = "'actions':[{'method':'merge','path':'.'}]}";
        for (int i = 0; i < middle; i++) {
            documents.add(document(
                    "m" + i,
                    "'labels':{'of':'" + i
                            + "'},'substitutions':[{'src':{'schema':'t/A/v1','name':'name','path':'.'},'dest':" + dest
                            + "}],'layeringDefinition':{'layer':'middle','parentSelector':{'family':'f'}," + action,
                    "{'number':" + i + "}"));
            documents.add(document(
                    "l" + i,
                    "'layeringDefinition':{'layer':'leaf','parentSelector':{'of':'" + i + "'}," + action,
                    "{'leaf':" + i + "}"));
        }
        return documents;
    }

    @Test
    void shouldRefuseAChangeThatWouldHoldMoreThanThereIsRoomFor() {
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingRevisions());

        assertThatThrownBy(() -> workspace.putBucket("b", threeLayers(130, "{'path':'.text','pattern':'NAME'}")))
                .isInstanceOf(ChangeEffort.ExceededException.class)
                .hasMessageContaining("would hold more than " + HeldData.MOST + " bytes");
    }

    @Test
    void shouldNotCountWhatDocumentsShare() {
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingRevisions());

        Update update = workspace.putBucket("b", threeLayers(130, "{'path':'.name'}"));

        assertThat(update.emissions()).hasSize(2 + 2 * 130);
    }

    @Test
    void shouldMakeNoRecordsWhereNobodyPublishes() {
        List<MapValue> documents = threeLayers(2, "{'path':'.name'}");
        Renderer renderer = Renderer.holdingRevisions();

        Update published = new TestWorkspace(renderer).putBucket("b", documents);
        Update unpublished = new TestWorkspace(renderer.publishingNothing()).putBucket("b", documents);

        assertThat(published.results().records()).hasSize(published.emissions().size());
        assertThat(unpublished.results().records()).isEmpty();
        assertThat(unpublished.emissions()).isEqualTo(published.emissions());
    }

    @Test
    void shouldHoldNoDataOfDocumentsFromWhichNoneAreMade() {
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingRevisions());

        Update update = workspace.putBucket("b", threeLayers(40, "{'path':'.name'}"));

        assertThat(update.results().data()).hasSize(40);
        assertThat(update.results().records().size())
                .isLessThan(update.emissions().size());
    }
}
