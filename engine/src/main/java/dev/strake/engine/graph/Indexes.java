package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument.Target;
import dev.strake.engine.tree.MapValue;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The indexes of a graph, which find documents by various keys. The indexes of a complete graph are finished and never
 * change. Those of the next graph are open for changes until that graph is complete.
 */
final class Indexes {

    static final Indexes EMPTY = new Indexes();

    /** Documents by schema and name. */
    final Multimap<DocumentKey, DocumentId> byKey;

    final Multimap<Name, DocumentId> bySchema;
    final Multimap<Name, DocumentId> byBucket;

    /** Documents that set the order of layers. */
    final Multimap<Boolean, DocumentId> policies;

    /** Documents by each of their labels. */
    final Multimap<Label, DocumentId> carriers;

    /** Documents by the parent that was decided for them. */
    final Multimap<DocumentId, DocumentId> children;

    /** Replacements by the document that they replace. */
    final Multimap<DocumentId, DocumentId> replacements;

    /** Documents by each key from which they substitute. */
    final Multimap<DocumentKey, DocumentId> readers;

    /** Documents by the labels that their parents have to carry. */
    final WantedLabels seekers;

    /** Documents with operations by the key that they target. */
    final Multimap<DocumentKey, DocumentId> operatorsByKey;

    /** Documents with operations by the labels and the schema that they target. */
    final WantedLabels operatorsByLabels;

    private Indexes() {
        byKey = Multimap.empty();
        bySchema = Multimap.empty();
        byBucket = Multimap.empty();
        policies = Multimap.empty();
        carriers = Multimap.empty();
        children = Multimap.empty();
        replacements = Multimap.empty();
        readers = Multimap.empty();
        seekers = WantedLabels.EMPTY;
        operatorsByKey = Multimap.empty();
        operatorsByLabels = WantedLabels.EMPTY;
    }

    private Indexes(Indexes other, boolean isOpen) {
        byKey = other.byKey.copy(isOpen);
        bySchema = other.bySchema.copy(isOpen);
        byBucket = other.byBucket.copy(isOpen);
        policies = other.policies.copy(isOpen);
        carriers = other.carriers.copy(isOpen);
        children = other.children.copy(isOpen);
        replacements = other.replacements.copy(isOpen);
        readers = other.readers.copy(isOpen);
        seekers = other.seekers.copy(isOpen);
        operatorsByKey = other.operatorsByKey.copy(isOpen);
        operatorsByLabels = other.operatorsByLabels.copy(isOpen);
    }

    /** A copy that is open for changes. */
    Indexes edit() {
        return new Indexes(this, true);
    }

    /** A finished copy. This object must not be used afterwards. */
    Indexes freeze() {
        return new Indexes(this, false);
    }

    /**
     * Adds a document under all of its keys, or removes it from all. Both use the same list of keys, so that no entry
     * stays behind. {@link #setParent} is separate, because a parent may be decided again while the document stays.
     */
    void set(Facts facts, boolean present) {
        DocumentId id = facts.id();
        Claims claims = facts.claims();
        byKey.set(facts.key(), id, present);
        bySchema.set(Name.of(id.schema()), id, present);
        byBucket.set(Name.of(facts.bucket()), id, present);
        MapValue labels = facts.labels();
        for (int i = 0; i < labels.size(); i++) {
            carriers.set(new Label(labels.keyAt(i), labels.valueAt(i)), id, present);
        }
        for (DocumentKey source : claims.sources()) {
            readers.set(source, id, present);
        }
        if (claims.layerOrder() != null) {
            policies.set(true, id, present);
        }
        if (!claims.selector().isEmpty()) {
            seekers.set(claims.selector(), id, present);
        }
        Target target = claims.target();
        if (target != null && target.name() != null) {
            operatorsByKey.set(new DocumentKey(target.schema(), target.name()), id, present);
        } else if (target != null) {
            operatorsByLabels.set(WantedLabels.withSchema(target.labels(), target.schema()), id, present);
        }
    }

    /** Adds a document under its parent and under the document that it replaces, or removes it from both. */
    void setParent(Node child, boolean present) {
        DocumentId parent = child.decision().parent();
        if (parent != null) {
            children.set(parent, child.facts().id(), present);
        }
        if (child.replaced() != null) {
            replacements.set(child.replaced(), child.facts().id(), present);
        }
    }

    /**
     * The layers, the most general one first; null without a layering policy. Publishing a second policy is rejected.
     * While a change with two policies is computed, the first one in order of identity counts.
     */
    List<String> layerOrder(Function<DocumentId, Facts> documents) {
        return policies.get(true).stream()
                .min(Comparator.naturalOrder())
                .map(policy -> documents.apply(policy).claims().layerOrder())
                .orElse(null);
    }
}
