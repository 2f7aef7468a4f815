package dev.strake.cli.verify;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The result of comparing what consumers hold of a workspace with the documents rendered from scratch.
 *
 * @param head the last revision
 * @param revision the one that consumers should hold: the last that did not fail; 0 if none was published
 * @param documents the number of documents of that revision that render
 * @param inTrouble the number of documents that were not compared, because they do not render
 * @param hashes the content hash of the rendered set from each source
 * @param differences in order of schema and name
 */
public record VerifyResult(
        String workspace,
        long head,
        long revision,
        int documents,
        int inTrouble,
        Hashes hashes,
        List<Difference> differences) {

    /** What is wrong with a record or a document. */
    public enum Kind {
        /** A document renders, but consumers do not hold it. */
        MISSING,
        /** Consumers hold a document that is not in the rendered set. */
        UNEXPECTED,
        /** Consumers hold a different document. */
        DIFFERS,
        /** A record is invalid for its topic: its value is not JSON, or its key is malformed. */
        UNREADABLE,
        /** A document was accepted, but would now be rejected. */
        UNEXPLAINED;

        /** The kind as it is printed. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A difference. It never contains a value of a document.
     *
     * @param schema null if the difference concerns no document; then the name is null, too
     * @param record the position of the record, {@code topic-partition@offset}; null if there is none
     */
    public record Difference(Kind kind, String schema, String name, String record) implements Comparable<Difference> {

        private static final Comparator<String> NULLS_LAST = Comparator.nullsLast(Comparator.naturalOrder());
        private static final Comparator<Difference> ORDER = Comparator.comparing(Difference::schema, NULLS_LAST)
                .thenComparing(Difference::name, NULLS_LAST)
                .thenComparing(Difference::record, NULLS_LAST)
                .thenComparing(Difference::kind);

        @Override
        public int compareTo(Difference other) {
            return ORDER.compare(this, other);
        }

        private Value json() {
            return MapValue.builder()
                    .put("difference", kind.text())
                    .put("schema", schema)
                    .put("name", name)
                    .put("record", record)
                    .build();
        }
    }

    /**
     * The content hash from each source.
     *
     * @param topic computed from the records that consumers hold
     * @param stores from the stores
     * @param outcome from the last outcome; null if the topic no longer holds it
     */
    public record Hashes(String topic, String stores, String outcome) {

        /** Whether all known hashes are equal. */
        public boolean agree() {
            return stores.equals(topic) && (outcome == null || outcome.equals(topic));
        }
    }

    public VerifyResult {
        differences = differences.stream().sorted().toList();
    }

    public boolean isEqual() {
        return differences.isEmpty() && hashes.agree();
    }

    /**
     * Returns the result as JSON, with members in this order:
     *
     * <pre>{@code
     * {"workspace", "equal", "head", "revision", "documents", "inTrouble",
     *  "contentHash": {"topic", "stores", "outcome"},
     *  "differences": [{"difference", "schema", "name", "record"}, ...]}
     * }</pre>
     */
    public MapValue json() {
        return MapValue.builder()
                .put("workspace", workspace)
                .put("equal", isEqual())
                .put("head", head)
                .put("revision", revision)
                .put("documents", documents)
                .put("inTrouble", inTrouble)
                .put(
                        "contentHash",
                        MapValue.builder()
                                .put("topic", hashes.topic())
                                .put("stores", hashes.stores())
                                .put("outcome", hashes.outcome())
                                .build())
                .put(
                        "differences",
                        ListValue.of(differences.stream().map(Difference::json).toList()))
                .build();
    }
}
