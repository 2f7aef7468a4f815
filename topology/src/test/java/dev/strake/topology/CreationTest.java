package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.Whole.Created;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.store.NumberedRevision;
import dev.strake.topology.store.StoredRevision.Read;
import dev.strake.topology.store.StoredRevision.Rendered;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The revision that created each document, and the document's place among those of the same change. */
class CreationTest {

    private static final String WS = TopologyHarness.WORKSPACE;
    private static final String POLICY = """
            {"schema": "deckhand/LayeringPolicy/v1", "metadata": {"schema": "metadata/Control/v1", "name": "policy"},
             "data": {"layerOrder": ["site"]}}""";

    @AutoClose
    private final TopologyHarness strake = new TopologyHarness();

    /* Sends documents given like "a=1". */
    private OutcomeStatus put(String type, String bucket, String... documents) {
        String all = Arrays.stream(documents).map(CreationTest::document).collect(Collectors.joining(",", "[", "]"));
        return strake.send(WS, all, "ce_type", "dev.strake." + type, "bucket", bucket)
                .status();
    }

    private static String document(String text) {
        String[] parts = text.split("=", -1);
        return parts.length == 1 ? POLICY : """
                {"schema": "example/Thing/v1", "metadata": {"schema": "metadata/Document/v1", "name": "%s",
                 "storagePolicy": "cleartext", "layeringDefinition": {"layer": "site"}}, "data": {"v": %s}}""".formatted(parts[0], parts[1]);
    }

    private OutcomeStatus rollback(long revision) {
        return strake.send(ChangeType.ROLLBACK, "{revision: " + revision + "}").status();
    }

    private Created created(String name, long revision) {
        return Whole.created(strake.queries(), WS, revision).get(new DocumentId("example/Thing/v1", "site", name));
    }

    private List<String> inOrderOfCreation(long revision) {
        try (Stream<Read<DocumentsLayout.Entry>> all =
                strake.queries().at(WS, revision).documents(null)) {
            return all.map(Read::entry)
                    .sorted(DocumentsLayout.Entry.CREATION)
                    .map(entry -> entry.document().id().name())
                    .toList();
        }
    }

    @Test
    void shouldKeepTheOrderInWhichDocumentsCame() {
        put("bucket.put", "one", "policy", "c=1", "a=1");
        put("bucket.put", "two", "b=1");

        assertThat(inOrderOfCreation(2)).containsExactly("policy", "c", "a", "b");

        put("bucket.put", "one", "a=2", "policy", "c=1");

        assertThat(inOrderOfCreation(3)).containsExactly("policy", "c", "b", "a");
        assertThat(created("a", 3)).isEqualTo(new Created(3, 0));
        assertThat(created("a", 2)).as("of a past revision").isEqualTo(new Created(1, 2));
    }

    @Test
    void shouldKeepThePlaceOfAnUnchangedDocument() {
        put("bucket.put", "one", "policy", "b=1", "a=1");

        assertThat(put("bucket.put", "one", "a=1", "b=1", "policy")).isEqualTo(OutcomeStatus.UNCHANGED);

        assertThat(inOrderOfCreation(1)).containsExactly("policy", "b", "a");
    }

    @Test
    void shouldPlaceAddedDocumentsAmongThoseOfTheSameChange() {
        put("bucket.put", "one", "policy", "b=1", "a=1");

        put("documents.put", "one", "b=1", "d=1", "a=2");

        assertThat(created("b", 2)).as("unchanged").isEqualTo(new Created(1, 1));
        assertThat(created("d", 2)).isEqualTo(new Created(2, 1));
        assertThat(created("a", 2)).isEqualTo(new Created(2, 2));
    }

    @Test
    void shouldRestoreThePlaceInARollback() {
        put("bucket.put", "one", "policy", "c=1", "b=1", "a=1");
        put("bucket.put", "one", "a=2", "policy", "b=1");

        rollback(1);

        assertThat(created("c", 3)).isEqualTo(new Created(3, 1));
        assertThat(created("a", 3)).isEqualTo(new Created(3, 3));
        assertThat(created("b", 3)).as("what did not differ").isEqualTo(new Created(1, 2));
        assertThat(inOrderOfCreation(3)).containsExactly("policy", "b", "c", "a");
    }

    @Test
    void shouldKnowTheCreationOfRenderedDocuments() {
        put("bucket.put", "one", "policy", "b=1", "a=1");
        put("bucket.put", "one", "policy", "a=2", "b=1");

        try (Stream<Rendered> all = strake.queries().at(WS, 2).inOrder(null, id -> true)) {
            assertThat(all.map(each ->
                            each.document().since() + "/" + each.document().place()))
                    .containsExactlyInAnyOrder("1/0", "1/1", "2/1");
        }
    }

    @Test
    void shouldListTheBucketsOfARevision() {
        put("bucket.put", "one", "policy", "a=1");
        put("bucket.put", "two", "b=1", "c=1");
        put("bucket.put", "three", "d=1");
        put("documents.put", "two", "b=2");
        assertThat(buckets(4)).containsExactly("two");

        rollback(2);
        assertThat(buckets(5)).as("one removed, one changed").containsExactly("three", "two");

        put("bucket.put", "two", "c=1");
        put("bucket.put", "one", "policy", "a=1", "b=1");
        rollback(5);
        assertThat(buckets(8)).as("a document moved").containsExactly("one", "two");
    }

    private List<String> buckets(long revision) {
        return strake.queries()
                .history()
                .revision(WS, revision)
                .orElseThrow()
                .change()
                .buckets();
    }

    @Test
    void shouldReportTheRevisionThatDeletedTheWorkspace() {
        assertThat(strake.queries().history().horizon(WS).start()).isZero();
        put("bucket.put", "one", "policy", "a=1");
        strake.send(ChangeType.WORKSPACE_DELETE, "");
        assertThat(strake.queries().history().horizon(WS).start()).isEqualTo(2);
        assertThat(numbers()).isEmpty();

        put("bucket.put", "one", "policy", "a=1");
        put("bucket.put", "one", "policy");
        assertThat(numbers()).containsExactly(3L, 4L);
        put("bucket.put", "one");
        strake.send(ChangeType.WORKSPACE_DELETE, "");
        assertThat(strake.queries().history().horizon(WS).start())
                .as("there was nothing to delete but the history")
                .isEqualTo(5);
        assertThat(numbers()).isEmpty();
    }

    private List<Long> numbers() {
        try (Stream<NumberedRevision> all = strake.queries()
                .history()
                .revisions(WS, strake.queries().history().horizon(WS).start())) {
            return all.map(NumberedRevision::number).toList();
        }
    }

    @Test
    void shouldKeepTheCreationOfDocumentsInPastGraphs() {
        put("bucket.put", "one", "policy", "a=1");
        put("bucket.put", "one", "policy", "a=1", "b=1");
        put("bucket.put", "one", "policy", "a=3", "b=1");

        DocumentId a = new DocumentId("example/Thing/v1", "site", "a");
        assertThat(strake.queries().at(WS, 2).derived().graph().facts(a).since())
                .isEqualTo(1);
        assertThat(strake.queries().at(WS, 3).derived().graph().facts(a).since())
                .isEqualTo(3);
    }
}
