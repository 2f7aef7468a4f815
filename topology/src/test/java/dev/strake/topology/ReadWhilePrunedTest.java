package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.POLICY;
import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.ChangeType;
import dev.strake.topology.history.Retention;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.DerivedRevision;
import dev.strake.topology.store.NumberedRevision;
import dev.strake.topology.store.RevisionGoneException;
import dev.strake.topology.store.RevisionLeases.Lease;
import dev.strake.topology.store.StoredRevision;
import dev.strake.topology.store.StoredRevision.Read;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a reader gets whose revision is no longer kept while it is being read, and what the lease costs others. */
class ReadWhilePrunedTest {

    private static final int DOCUMENTS = 20;

    /** More entries than an iterator skips before it seeks. */
    private static final int LONG = 40;

    /* A parent whose child is computed from it. */
    private static final String FAMILY = """
            ---
            {schema: example/Thing/v1, data: {round: of-%2$d},
             metadata: {schema: metadata/Document/v1, name: parent-%1$d, storagePolicy: cleartext, labels: {family: f%1$d},
                        layeringDefinition: {layer: global, abstract: true}}}
            ---
            {schema: example/Thing/v1, data: {own: true},
             metadata: {schema: metadata/Document/v1, name: child-%1$d, storagePolicy: cleartext,
                        layeringDefinition: {layer: site, parentSelector: {family: f%1$d}, actions: [{method: merge, path: .}]}}}
            """;

    @AutoClose
    private TopologyHarness strake;

    private int made;

    private void keep(long revisions) {
        strake = new TopologyHarness(TopologySettings.of(1).retaining(new Retention(revisions, Duration.ZERO)));
    }

    /* Changes every document in each revision. */
    private void makeRevisions(int more) {
        for (int i = 0; i < more; i++) {
            made++;
            strake.putBucket(POLICY
                    + IntStream.range(0, DOCUMENTS)
                            .mapToObj(number -> FAMILY.formatted(number, made))
                            .collect(Collectors.joining()));
        }
    }

    private void prune() {
        strake.advance(Duration.ofSeconds(5));
        for (int step = 0; step < 100; step++) { // a step ends by the clock, so a busy machine may need many
            strake.advance(Duration.ofMillis(20));
        }
    }

    private List<Long> revisions() {
        return Whole.revisions(strake.queries(), WORKSPACE).stream()
                .map(NumberedRevision::number)
                .toList();
    }

    /* The values of parents as published. The second half is read after meanwhile. */
    private List<String> valuesRead(long revision, Runnable meanwhile) {
        List<String> values = new ArrayList<>();
        try (Stream<Read<DocumentsLayout.Entry>> all = strake.queries()
                .at(WORKSPACE, revision)
                .documents(null, id -> id.name().startsWith("parent"))) {
            Iterator<Read<DocumentsLayout.Entry>> documents = all.iterator();
            while (documents.hasNext()) {
                values.add(round(documents.next().entry().document().data()));
                if (values.size() == DOCUMENTS / 2) {
                    meanwhile.run();
                }
            }
        }
        return values;
    }

    /* The values of children as rendered. The second half is read after meanwhile. */
    private List<String> valuesRendered(long revision, Runnable meanwhile) {
        List<String> values = new ArrayList<>();
        StoredRevision stored = strake.queries().at(WORKSPACE, revision);
        DerivedRevision derived = stored.derived();
        try (Stream<StoredRevision.Rendered> all =
                stored.inOrder(null, id -> id.name().startsWith("child"))) {
            Iterator<StoredRevision.Rendered> documents = all.iterator();
            while (documents.hasNext()) {
                values.add(round(derived.data(documents.next())));
                if (values.size() == DOCUMENTS / 2) {
                    meanwhile.run();
                }
            }
        }
        return values;
    }

    private static String round(Value data) {
        return ((Text) ((MapValue) data).get("round")).value();
    }

    private static List<String> each(long round) {
        return Collections.nCopies(DOCUMENTS, "of-" + round);
    }

    @Test
    void shouldFailRatherThanReturnPrunedContents() {
        keep(2);
        makeRevisions(1);

        assertThatThrownBy(() -> valuesRendered(1, () -> {
                    makeRevisions(2);
                    prune();
                }))
                .isInstanceOf(RevisionGoneException.class);
    }

    @Test
    void shouldKeepARevisionUntilItIsRead() {
        keep(2);
        makeRevisions(1);

        Lease lease = strake.queries().read(WORKSPACE, 1);
        try (lease) {
            assertThat(valuesRendered(1, () -> {
                        makeRevisions(4);
                        prune();
                    }))
                    .isEqualTo(each(1));
        }
        prune();
        assertThat(revisions()).containsExactly(4L, 5L);
    }

    @Test
    void shouldContinuePruningOnceARevisionIsRead() {
        keep(2);
        makeRevisions(1);
        Lease lease = strake.queries().read(WORKSPACE, 1);
        Lease another = strake.queries().read(WORKSPACE, 1);
        makeRevisions(3);
        prune();
        lease.close();
        lease.close(); // closing again is harmless
        prune();
        assertThat(revisions()).as("while another reads it").containsExactly(1L, 2L, 3L, 4L);

        another.close();
        makeRevisions(1);
        for (int step = 0; step < 100; step++) {
            strake.advance(Duration.ofMillis(20));
        }
        assertThat(revisions()).containsExactly(4L, 5L);
    }

    @Test
    void shouldFinishReadingADeletedWorkspace() {
        keep(LONG);
        makeRevisions(LONG);

        Lease lease = strake.queries().read(WORKSPACE, LONG);
        try (lease) {
            Runnable delete = () -> {
                strake.send(ChangeType.WORKSPACE_DELETE, null);
                prune();
                assertThat(revisions()).containsExactly(LONG + 1L);
            };
            assertThat(valuesRendered(LONG, delete)).isEqualTo(each(LONG));
            assertThat(valuesRead(LONG, () -> {})).isEqualTo(each(LONG));
        }
        assertThatThrownBy(() -> strake.queries().read(WORKSPACE, LONG)).isInstanceOf(RevisionGoneException.class);
        prune();
        assertThat(strake.dump().get("documents")).isEmpty();
    }

    /* A lease delays pruning by 100 revisions, or by the number of kept revisions if that is larger. */
    @Test
    void shouldBoundHistoryDespiteReaders() {
        keep(3);
        makeRevisions(3);
        List<Lease> leases = new ArrayList<>();
        int longest = 0;
        for (int i = 0; i < 150; i++) {
            for (long revision : revisions()) {
                leases.add(strake.queries().read(WORKSPACE, revision));
            }
            makeRevisions(1);
            for (int step = 0; step < 10; step++) {
                strake.advance(Duration.ofMillis(20));
            }
            longest = Math.max(longest, revisions().size());
        }
        assertThat(longest).isBetween(100, 110);
        assertThat(revisions()).hasSizeBetween(100, 110);

        leases.forEach(Lease::close);
        for (int turn = 0; turn < 100 && revisions().size() > 3; turn++) {
            prune();
        }
        assertThat(revisions()).hasSize(3);
    }

    @Test
    void shouldReadOnlyKeptRevisions() {
        keep(1);
        makeRevisions(3);
        prune();
        WorkspaceQueries queries = strake.queries();

        assertThatThrownBy(() -> queries.read(WORKSPACE, 2)).isInstanceOf(RevisionGoneException.class);
        assertThatThrownBy(() -> queries.read(WORKSPACE, 4)).isInstanceOf(RevisionGoneException.class);
        queries.read(WORKSPACE, 0).close();
        queries.read(WORKSPACE, 3).close();
    }
}
