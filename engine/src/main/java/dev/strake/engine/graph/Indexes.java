package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument.Target;
import dev.strake.engine.tree.MapValue;

/**
 * The indexes of a graph: every key under which documents are found.
 *
 * @param byKey documents by schema and name
 * @param bySchema documents by schema
 * @param byBucket documents by the bucket that holds them
 * @param policies documents that set the order of layers
 * @param carriers documents by each of their labels
 * @param children documents by the parent that was decided for them
 * @param replacements documents by the one whose place they take
 * @param readers documents by each key that they substitute from
 * @param seekers documents by the labels that their parents have to carry
 * @param operatorsByKey documents with operations by the key that they target
 * @param operatorsByLabels documents with operations by the labels and the schema that they target
 */
record Indexes(
        Multimap<DocumentKey, DocumentId> byKey,
        Multimap<Name, DocumentId> bySchema,
        Multimap<Name, DocumentId> byBucket,
        Multimap<Boolean, DocumentId> policies,
        Multimap<Label, DocumentId> carriers,
        Multimap<DocumentId, DocumentId> children,
        Multimap<DocumentId, DocumentId> replacements,
        Multimap<DocumentKey, DocumentId> readers,
        WantedLabels seekers,
        Multimap<DocumentKey, DocumentId> operatorsByKey,
        WantedLabels operatorsByLabels) {

    static final Indexes EMPTY = new Indexes(
            Multimap.empty(),
            Multimap.empty(),
            Multimap.empty(),
            Multimap.empty(),
            Multimap.empty(),
            Multimap.empty(),
            Multimap.empty(),
            Multimap.empty(),
            WantedLabels.EMPTY,
            Multimap.empty(),
            WantedLabels.EMPTY);

    Edit edit() {
        return new Edit(this);
    }

    /** Indexes in the making. */
    static final class Edit {

        final Multimap.Edit<DocumentKey, DocumentId> byKey;
        final Multimap.Edit<Name, DocumentId> bySchema;
        final Multimap.Edit<Name, DocumentId> byBucket;
        final Multimap.Edit<Boolean, DocumentId> policies;
        final Multimap.Edit<Label, DocumentId> carriers;
        final Multimap.Edit<DocumentId, DocumentId> children;
        final Multimap.Edit<DocumentId, DocumentId> replacements;
        final Multimap.Edit<DocumentKey, DocumentId> readers;
        final WantedLabels.Edit seekers;
        final Multimap.Edit<DocumentKey, DocumentId> operatorsByKey;
        final WantedLabels.Edit operatorsByLabels;

        private Edit(Indexes before) {
            byKey = before.byKey.edit();
            bySchema = before.bySchema.edit();
            byBucket = before.byBucket.edit();
            policies = before.policies.edit();
            carriers = before.carriers.edit();
            children = before.children.edit();
            replacements = before.replacements.edit();
            readers = before.readers.edit();
            seekers = before.seekers.edit();
            operatorsByKey = before.operatorsByKey.edit();
            operatorsByLabels = before.operatorsByLabels.edit();
        }

        /**
         * Puts a document under all of its keys, or removes it from all of them. Both use one list of keys, so that no entry
         * stays behind. {@link #setParent} is apart, because a parent may be decided again while the document stays.
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

        /** Puts a document under the parent that was decided for it, or removes it from there. */
        void setParent(Node child, boolean present) {
            DocumentId parent = child.decision().parent();
            if (parent != null) {
                children.set(parent, child.facts().id(), present);
            }
            if (child.replaced() != null) {
                replacements.set(child.replaced(), child.facts().id(), present);
            }
        }

        /** The finished indexes; this edit is over. */
        Indexes freeze() {
            return new Indexes(
                    byKey.freeze(),
                    bySchema.freeze(),
                    byBucket.freeze(),
                    policies.freeze(),
                    carriers.freeze(),
                    children.freeze(),
                    replacements.freeze(),
                    readers.freeze(),
                    seekers.freeze(),
                    operatorsByKey.freeze(),
                    operatorsByLabels.freeze());
        }
    }
}
