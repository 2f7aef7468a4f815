package dev.strake.cli.verify;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How what consumers hold of a workspace compares with what it renders to from nothing.
 *
 * @param head the last revision
 * @param revision the one that consumers should hold: the last that did not fail; 0 if none was published
 * @param documents in the rendered set of that revision, as far as it renders
 * @param inTrouble documents that were not compared, as they are held back for not rendering
 * @param hashes the content hash of the rendered set according to everybody who has one
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

    /** What is wrong with a record, or with what made it. */
    public enum Kind {
        /** It renders, and consumers do not hold it. */
        MISSING,
        /** Consumers hold it, and it does not belong to the rendered set. */
        UNEXPECTED,
        /** Consumers hold something else. */
        DIFFERS,
        /** It is no record of its topic at all: no JSON, no such key. */
        UNREADABLE,
        /** A document that was accepted would be refused. */
        UNEXPLAINED;

        /** As it is printed. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One difference. It never holds a value of a document.
     *
     * @param schema null if it is not of a document, as is the name then
     * @param record where the record lies, {@code topic-partition@offset}; null if there is none
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
                    .put("difference", new Text(kind.text()))
                    .put("schema", textOrNull(schema))
                    .put("name", textOrNull(name))
                    .put("record", textOrNull(record))
                    .build();
        }
    }

    /**
     * Content hashes.
     *
     * @param topic of the records that consumers hold
     * @param stores as the stores have it
     * @param outcome as the last outcome has it; null if the topic does not hold it any more
     */
    public record Hashes(String topic, String stores, String outcome) {

        /** Whether everybody who has one has the same. */
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
     * As JSON, members in this order:
     *
     * <pre>{@code
     * {"workspace", "equal", "head", "revision", "documents", "inTrouble",
     *  "contentHash": {"topic", "stores", "outcome"},
     *  "differences": [{"difference", "schema", "name", "record"}, ...]}
     * }</pre>
     */
    public MapValue json() {
        return MapValue.builder()
                .put("workspace", new Text(workspace))
                .put("equal", Bool.of(isEqual()))
                .put("head", Num.of(head))
                .put("revision", Num.of(revision))
                .put("documents", Num.of(documents))
                .put("inTrouble", Num.of(inTrouble))
                .put(
                        "contentHash",
                        MapValue.builder()
                                .put("topic", new Text(hashes.topic()))
                                .put("stores", new Text(hashes.stores()))
                                .put("outcome", textOrNull(hashes.outcome()))
                                .build())
                .put(
                        "differences",
                        ListValue.of(differences.stream().map(Difference::json).toList()))
                .build();
    }

    private static Value textOrNull(String text) {
        return text == null ? Null.NULL : new Text(text);
    }
}
