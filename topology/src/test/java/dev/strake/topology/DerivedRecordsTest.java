package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.POLICY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.topology.layout.LayerGraphLayout;
import dev.strake.topology.query.Differences;
import dev.strake.topology.query.Differences.Difference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Derived documents as consumers, stores and the history hold them. */
class DerivedRecordsTest {

    private static final String WS = TopologyHarness.WORKSPACE;
    private static final String KEY = "site-a|example/All/v1|all";
    private static final String ONE = thing("one", 1);
    private static final String TWO = thing("two", 2);
    private static final String COLLECTION = """
            ---
            schema: strake/Collection/v1
            metadata: {schema: metadata/Document/v1, name: gather, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {schema: example/Thing/v1, path: .size, into: {schema: example/All/v1, name: all}}
            """;

    @AutoClose
    private TopologyHarness strake = new TopologyHarness();

    @Test
    void shouldNameTheOwnerInAHeaderOfADerivedRecord() {
        strake.putBucket(POLICY + ONE + COLLECTION);

        TestRecord<byte[], byte[]> derived = record(KEY);
        assertThat(header(derived, "derived-from")).isEqualTo("strake/Collection/v1/gather");
        assertThat(header(derived, "layer")).isEqualTo("site");
        assertThat(header(derived, "bucket")).isEqualTo("default");
        assertThat(header(record("site-a|example/Thing/v1|one"), "derived-from"))
                .isNull();
        assertThat(strake.rendered()).doesNotContainKey("site-a|strake/Collection/v1|gather");

        strake.putBucket(POLICY + ONE);

        assertThat(record(KEY).value()).isNull();
        assertThat(header(record(KEY), "derived-from")).isEqualTo("strake/Collection/v1/gather");
    }

    @Test
    void shouldReadDerivedDocumentsOfEarlierRevisionsAndTheirDifferences() {
        strake.putBucket(POLICY + ONE + COLLECTION);
        strake.putBucket(POLICY + ONE + TWO + COLLECTION);

        assertThat(rendered(1)).anyMatch(each -> each.contains("\"name\":\"all\"") && each.endsWith("\"data\":[1]}"));
        assertThat(rendered(2)).anyMatch(each -> each.contains("\"name\":\"all\"") && each.endsWith("\"data\":[1,2]}"));
        assertThat(Whole.diff(strake.queries(), WS, 1, 2).rendered())
                .containsEntry(new DocumentKey("example/All/v1", "all"), Difference.MODIFIED);
        assertThat(strake.queries().owner(WS, new DocumentKey("example/All/v1", "all"), 2))
                .contains(new DocumentId("strake/Collection/v1", "site", "gather"));
    }

    @Test
    void shouldReportTheProblemOfAMissingDocument() {
        DocumentKey all = new DocumentKey("example/All/v1", "all");
        DocumentKey two = new DocumentKey("example/Thing/v1", "two");
        String unrendered = TWO.replace(
                "layeringDefinition: {layer: site}",
                "layeringDefinition: {layer: site}, substitutions: [{src: {schema: example/No/v1, name: such, path: .},"
                        + " dest: {path: .size}}]");
        strake.putBucket(POLICY + ONE + TWO + COLLECTION);
        strake.putBucket(POLICY + ONE + unrendered + COLLECTION);
        strake.putBucket(POLICY + ONE);

        Differences held = Whole.diff(strake.queries(), WS, 1, 2);
        assertThat(held.rendered()).containsEntry(two, Difference.DELETED).containsEntry(all, Difference.DELETED);
        assertThat(held.problems()).containsOnlyKeys(two, all);
        assertThat(held.problems().get(two).code()).isEqualTo(ProblemCode.of("SubstitutionSourceNotFound"));
        assertThat(Whole.diff(strake.queries(), WS, 2, 1).problems()).isEqualTo(held.problems());
        assertThat(Whole.diff(strake.queries(), WS, 1, 3).rendered()).containsEntry(two, Difference.DELETED);
        assertThat(Whole.diff(strake.queries(), WS, 1, 3).problems()).isEmpty();
    }

    @Test
    void shouldWriteOnlyTheChangedRead() {
        List<String> things = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            things.add(thing("t" + i, i));
        }
        strake.putBucket(POLICY + String.join("", things) + COLLECTION);
        Map<String, byte[]> before = strake.dump().get(LayerGraphLayout.STORE);
        strake.put(thing("t7", 99));
        Map<String, byte[]> after = strake.dump().get(LayerGraphLayout.STORE);

        assertThat(after.keySet()).isEqualTo(before.keySet());
        assertThat(after.entrySet().stream()
                        .filter(entry -> !Arrays.equals(entry.getValue(), before.get(entry.getKey())))
                        .map(entry -> (int) entry.getKey().charAt(0)))
                .as("the head of the document, what is read of it, and the derived document")
                .containsExactlyInAnyOrder(0, 3, 4);
    }

    @Test
    void shouldWriteNoEntriesOfOwnersWithoutOwners() {
        strake.putBucket(POLICY + ONE + TWO);

        assertThat(strake.dump().get(LayerGraphLayout.STORE).keySet()).allMatch(key -> key.charAt(0) < 2);
    }

    private static String thing(String name, int size) {
        return """
                ---
                schema: example/Thing/v1
                metadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, layeringDefinition: {layer: site}}
                data: {size: %d}
                """.formatted(name, size);
    }

    private List<String> rendered(long revision) {
        return Whole.rendered(strake.queries(), WS, revision).stream()
                .map(tree -> JsonBytes.text(tree))
                .toList();
    }

    private TestRecord<byte[], byte[]> record(String key) {
        return strake.lastRendered().stream()
                .filter(each -> TopologyHarness.text(each.key()).equals(key))
                .findFirst()
                .orElseThrow();
    }

    private static String header(TestRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : TopologyHarness.text(header.value());
    }
}
