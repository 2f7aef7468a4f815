package dev.strake.engine.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Trees of children share what is their parent's; their records do not, and take as much again for each. */
class LargeRecordsTest {

    private static final int CHILDREN = 200;
    private static final int PARENT_BYTES = 1 << 20;
    private static final long MOST_BYTES = 64L << 20;

    /** Works alone, and counts what was found at one time: nothing of it is entered before all of it is there. */
    private static final class Counting implements Workers {

        private long largest;

        @Override
        public <T, R> List<R> each(List<T> items, Function<T, R> work) {
            List<R> found = ONE.each(items, work);
            long bytes = 0;
            for (R each : found) {
                byte[] record = ((Inspection) each).record();
                bytes += record == null ? 0 : record.length;
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
        assertThat(update.records().values().stream()
                        .mapToLong(record -> record.length)
                        .sum())
                .isBetween(MOST_BYTES - 2 * PARENT_BYTES, MOST_BYTES);
    }
}
