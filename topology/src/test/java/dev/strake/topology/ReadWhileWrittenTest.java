package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.POLICY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.topology.Whole.PublishedDocument;
import dev.strake.topology.history.Retention;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import dev.strake.topology.query.Differences;
import dev.strake.topology.query.Differences.Difference;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.RevisionGoneException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queries run on other threads while changes are written. Each answer belongs to one revision. */
class ReadWhileWrittenTest {

    private static final String WORKSPACE = "site-a";
    private static final int MANY = 2_000;

    private final ExecutorService readers = Executors.newFixedThreadPool(3);
    private final AtomicBoolean written = new AtomicBoolean();

    @AfterEach
    void stop() {
        readers.shutdownNow();
    }

    @Test
    void shouldReadWholeRevisionsWhileDocumentsComeAndGo() throws Exception {
        try (TopologyHarness strake = new TopologyHarness()) {
            strake.putBucket(documents("old", MANY, 1), "ce_id", "first");
            WorkspaceQueries queries = strake.queries();
            List<Future<Integer>> reading = start(() -> assertHeadIsWhole(queries));
            for (int i = 0; i < 6; i++) {
                strake.putBucket(documents(i % 2 == 0 ? "new" : "old", i % 3 == 0 ? 1 : MANY, i), "ce_id", "c" + i);
            }
            assertAllRead(reading);
        }
    }

    @Test
    void shouldReadAnEarlierRevisionWhileItsDocumentsAreRemoved() throws Exception {
        try (TopologyHarness strake = new TopologyHarness()) {
            strake.putBucket(documents("old", MANY, 1), "ce_id", "first");
            WorkspaceQueries queries = strake.queries();
            List<Future<Integer>> reading = start(() -> {
                assertThat(Whole.documents(queries, WORKSPACE, 1)).hasSize(MANY + 1);
                assertThat(Whole.rendered(queries, WORKSPACE, 1)).hasSize(MANY + 1);
                Differences all = Whole.diff(queries, WORKSPACE, 0, 1);
                assertThat(all.documents()).hasSize(MANY + 1).containsValue(Difference.CREATED);
                assertThat(all.rendered()).hasSize(MANY + 1);
            });
            for (int i = 0; i < 6; i++) {
                strake.putBucket(documents("new", i % 2 == 0 ? 1 : MANY, i), "ce_id", "c" + i);
            }
            assertAllRead(reading);
        }
    }

    @Test
    void shouldReadWholeRevisionsOrReportThemGoneDuringPruning() throws Exception {
        TopologySettings settings = TopologySettings.of(1).retaining(new Retention(2, Duration.ZERO));
        try (TopologyHarness strake = new TopologyHarness(settings)) {
            strake.putBucket(documents("old", MANY, 1), "ce_id", "first");
            WorkspaceQueries queries = strake.queries();
            List<Future<Integer>> reading = start(() -> assertHeadIsWhole(queries));
            for (int i = 0; i < 10; i++) {
                strake.putBucket(documents("old", MANY / (1 + i % 3), i), "ce_id", "c" + i);
                strake.advance(Duration.ofSeconds(6));
            }
            assertAllRead(reading);
        }
    }

    private List<Future<Integer>> start(Runnable question) {
        List<Future<Integer>> reading = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            reading.add(readers.submit(() -> {
                int read = 0;
                do {
                    question.run();
                    read++;
                } while (!written.get());
                return read;
            }));
        }
        return reading;
    }

    private void assertAllRead(List<Future<Integer>> reading) throws Exception {
        written.set(true);
        for (Future<Integer> each : reading) {
            assertThat(each.get()).isPositive();
        }
    }

    private static void assertHeadIsWhole(WorkspaceQueries queries) {
        try {
            long head = queries.history().lastRevision(WORKSPACE);
            Revision revision =
                    queries.history().revision(WORKSPACE, head).orElseThrow(() -> new RevisionGoneException(head));
            List<PublishedDocument> documents = Whole.documents(queries, WORKSPACE, head);
            assertThat(documents).hasSize(revision.documents().total());
            Digest digest = Digest.ZERO;
            for (MapValue tree : Whole.rendered(queries, WORKSPACE, head)) {
                DocumentKey key = Document.ofValid(tree).id().key();
                digest = digest.plus(Digest.of(key, JsonBytes.of(tree)));
            }
            assertThat(digest).isEqualTo(revision.published().digest());
        } catch (RevisionGoneException e) {
            assertThat(queries.history().lastRevision(WORKSPACE)).isGreaterThan(2);
        }
    }

    private static String documents(String name, int count, int value) {
        return POLICY
                + IntStream.range(0, count)
                        .mapToObj(i -> """
                                ---
                                {schema: example/Thing/v1, data: {value: %d},
                                 metadata: {schema: metadata/Document/v1, name: %s-%d, storagePolicy: cleartext, layeringDefinition: {layer: site}}}
                                """.formatted(value, name, i))
                        .collect(Collectors.joining());
    }
}
