package dev.strake.engine.graph;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.operations.OperationsDocument.Target;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What the graph has to know of a document, and all that stays on the heap for it; the document itself does not.
 *
 * @param bucket the bucket that holds the document
 * @param sources what it substitutes from, without repetition, in order
 * @param layerOrder the layers of a LayeringPolicy, the most general one first; null for all other documents
 * @param target the documents that its own data wants to operate on; null if it says nothing of the kind
 * @param plain whether it renders to its own data, unless operations change that: no parent to look for, no substitutions
 * @param metadata hash of everything in the document but its data
 * @param content hash of the whole document
 * @param since the revision that first held the document as it is; 0 before it is part of one
 */
public record Facts(
        DocumentId id,
        String bucket,
        boolean control,
        boolean isAbstract,
        boolean replacement,
        MapValue labels,
        MapValue selector,
        List<DocumentKey> sources,
        List<String> layerOrder,
        Target target,
        boolean plain,
        Fingerprint metadata,
        Fingerprint content,
        long since) {

    private static final Pattern SCHEMA = Pattern.compile("[A-Za-z]+/[A-Za-z]+/v[0-9]+");
    private static final String POLICY_PREFIX = "deckhand/LayeringPolicy/";

    /** The schema of the documents that govern the data of others. */
    public static final String DATA_SCHEMA = "deckhand/DataSchema/v1";

    /** Reads the facts off a document. */
    public static Facts of(Document document, String bucket) {
        List<DocumentKey> sources = document.substitutions().stream()
                .map(substitution -> substitution.source().document())
                .distinct()
                .toList();
        List<String> layerOrder = null;
        if (isPolicy(document.id().schema())) {
            ListValue order = (ListValue) ((MapValue) document.data()).get("layerOrder");
            layerOrder =
                    order.items().stream().map(layer -> ((Text) layer).value()).toList();
        }
        Fingerprint metadata = document.tree().without("data").fingerprint();
        return new Facts(
                document.id(),
                bucket,
                document.isControl(),
                document.isAbstract(),
                document.isReplacement(),
                document.labels(),
                document.selector(),
                sources,
                layerOrder,
                isOperations(document.id(), document.isControl()) ? Target.of(document.data()) : null,
                document.selector().isEmpty() && sources.isEmpty(),
                metadata,
                metadata.and(document.data().fingerprint()),
                0);
    }

    /** These facts as part of a revision. */
    public Facts since(long revision) {
        return new Facts(
                id,
                bucket,
                control,
                isAbstract,
                replacement,
                labels,
                selector,
                sources,
                layerOrder,
                target,
                plain,
                metadata,
                content,
                revision);
    }

    /** These facts, made of equal parts that somebody has already. */
    Facts madeOf(
            DocumentId equalId,
            String equalBucket,
            MapValue equalLabels,
            MapValue equalSelector,
            List<DocumentKey> equalSources) {
        return new Facts(
                equalId,
                equalBucket,
                control,
                isAbstract,
                replacement,
                equalLabels,
                equalSelector,
                equalSources,
                layerOrder,
                target,
                plain,
                metadata,
                content,
                since);
    }

    /** These facts, made of the parts of others that are {@linkplain #isPlacedLike placed like them}. */
    Facts inPlaceOf(Facts other) {
        return madeOf(other.id, other.bucket, other.labels, other.selector, other.sources);
    }

    public DocumentKey key() {
        return id.key();
    }

    /** Whether documents of this schema set the order of layers. Any version does, as in Deckhand. */
    public static boolean isPolicy(String schema) {
        return schema.startsWith(POLICY_PREFIX);
    }

    /** Whether this is a document with operations on others. */
    public boolean isOperations() {
        return isOperations(id, control);
    }

    private static boolean isOperations(DocumentId id, boolean control) {
        return !control && id.schema().equals(OperationsDocument.SCHEMA);
    }

    boolean isDataSchema() {
        return control && id.schema().equals(DATA_SCHEMA);
    }

    /** Whether this is a DataSchema whose name is a schema that authors may govern; all other names are ignored. */
    public boolean governs() {
        return isDataSchema()
                && !id.name().startsWith("deckhand/")
                && SCHEMA.matcher(id.name()).matches();
    }

    /** Whether a selector (of another document) chooses this one. Null in a selector matches an absent label. */
    boolean isChosenBy(MapValue wanted) {
        for (int i = 0; i < wanted.size(); i++) {
            Value label = labels.get(wanted.keyAt(i));
            Value value = wanted.valueAt(i);
            boolean equal = label == null ? value == Null.NULL : label.equals(value);
            if (!equal) {
                return false;
            }
        }
        return true;
    }

    /** Whether both stand in the graph in one way: in the same indexes, with the same claims on other documents. */
    boolean isPlacedLike(Facts other) {
        return looksLike(other)
                && id.equals(other.id)
                && bucket.equals(other.bucket)
                && labels.equals(other.labels)
                && selector.equals(other.selector)
                && sources.equals(other.sources)
                && Objects.equals(layerOrder, other.layerOrder)
                && Objects.equals(target, other.target);
    }

    /** Whether other documents see the same in both: what they match, refer to or stand in for. */
    boolean looksLike(Facts other) {
        return control == other.control && isAbstract == other.isAbstract && replacement == other.replacement;
    }
}
