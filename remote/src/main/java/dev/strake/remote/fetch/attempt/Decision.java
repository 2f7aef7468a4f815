package dev.strake.remote.fetch.attempt;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.remote.fetch.resource.RemoteResource;
import dev.strake.remote.object.Reconcile;
import dev.strake.serdes.change.RemovalLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The decision about fetched content. A pure function of the current and the previous content of the source.
 *
 * @param kind the kind of decision
 * @param documents documents of the source, to be published
 * @param kept documents that the source no longer has but that stay, without an owner or waiting
 * @param removals documents to remove
 * @param waiting documents whose removal has to be confirmed
 * @param confirm the value of the resource's {@code confirm} that confirms this content
 * @param reason why the content is held
 */
record Decision(
        Kind kind,
        List<Document> documents,
        SortedMap<DocumentId, Reconcile> kept,
        SortedSet<DocumentId> removals,
        SortedSet<DocumentId> waiting,
        String confirm,
        String reason) {

    public enum Kind {
        /** The documents replace the content of the bucket. */
        PUT,
        /** The documents are put, the removals deleted, and the kept documents stay. */
        UPDATE,
        /** The documents are added to the bucket, because some of the sources failed. */
        ADD,
        /** The bucket is up to date. */
        NOTHING,
        /** Nothing is done until the content is confirmed, or the source has more documents again. */
        HOLD
    }

    /**
     * Decides about fetched content.
     *
     * @param memory the memory of the resource; empty if nothing was ever taken
     * @param isPartial whether an optional request failed; then nothing is removed
     * @param isOlder whether a source returned an older state than before
     */
    static Decision of(
            RemoteResource resource, Optional<Memory> memory, Content content, boolean isPartial, boolean isOlder) {
        Map<DocumentId, Reconcile> before =
                memory.<Map<DocumentId, Reconcile>>map(Memory::documents).orElse(Map.of());
        SortedMap<DocumentId, Document> now = content.documents();
        String hash = content.hash();
        boolean isConfirmed = !isPartial && resource.removals().confirm().equals(Optional.of(hash));

        SortedSet<DocumentId> removals = new TreeSet<>();
        SortedSet<DocumentId> waiting = new TreeSet<>();
        SortedMap<DocumentId, Reconcile> kept = new TreeMap<>();
        for (Map.Entry<DocumentId, Reconcile> each : before.entrySet()) {
            DocumentId id = each.getKey();
            if (now.containsKey(id)) {
                continue;
            }
            boolean isRemoved =
                    each.getValue() == Reconcile.TRUE || (each.getValue() == Reconcile.CONFIRM && isConfirmed);
            if (isRemoved) {
                removals.add(id);
            } else {
                if (each.getValue() == Reconcile.CONFIRM) {
                    waiting.add(id);
                }
                kept.put(id, each.getValue());
            }
        }
        // documents that left the source earlier; confirmed ones are removed now
        memory.ifPresent(past -> past.kept().forEach((id, reconcile) -> {
            if (now.containsKey(id)) {
                return;
            }
            if (reconcile == Reconcile.CONFIRM && isConfirmed) {
                removals.add(id);
                return;
            }
            if (reconcile == Reconcile.CONFIRM) {
                waiting.add(id);
            }
            kept.put(id, reconcile);
        }));

        List<Document> documents = new ArrayList<>(now.values());
        if (isPartial) {
            boolean isNews =
                    !documents.isEmpty() && !memory.map(Memory::published).equals(Optional.of(added(documents)));
            Kind kind = isNews ? Kind.ADD : Kind.NOTHING;
            return new Decision(kind, documents, kept, new TreeSet<>(), waiting, hash, "");
        }
        boolean isSame = removals.isEmpty()
                && (memory.map(Memory::published).equals(Optional.of(hash)) || (now.isEmpty() && !kept.isEmpty()));
        String reason =
                isConfirmed ? "" : reason(resource, now.isEmpty(), memory.isPresent(), removals, before, isOlder);
        Kind kind = !reason.isEmpty() ? Kind.HOLD : isSame ? Kind.NOTHING : kept.isEmpty() ? Kind.PUT : Kind.UPDATE;
        return new Decision(kind, documents, kept, removals, waiting, hash, reason);
    }

    private static String reason(
            RemoteResource resource,
            boolean isEmpty,
            boolean isKnown,
            SortedSet<DocumentId> removals,
            Map<DocumentId, Reconcile> before,
            boolean isOlder) {
        if (isEmpty && (!isKnown || !before.isEmpty())) {
            return "the source has no document";
        }
        if (isOlder && !removals.isEmpty()) {
            return "the source is older than what was taken before, and %d documents are not in it"
                    .formatted(removals.size());
        }
        RemovalLimit most = resource.removals().most();
        if (removals.size() <= most.of(before.size())) {
            return "";
        }
        String objection = !most.isGuard()
                ? "and %d may be".formatted(most.of(before.size()))
                : removals.size() == before.size() ? "so nothing that it had is left" : "which is more than a third";
        return "%d of %d documents are gone from the source, %s (maxRemovals: %s; 100%% allows all)"
                .formatted(removals.size(), before.size(), objection, most);
    }

    /** Returns what happens to a document once its source no longer has it. */
    static Reconcile reconcile(Document document, RemoteResource resource) {
        return Reconcile.ofLabels(document.labels()).orElse(resource.removals().reconcile());
    }

    private static String added(List<Document> documents) {
        return "add:" + Content.hash(documents);
    }

    /** Returns the memory after this decision was carried out. */
    Memory memory(
            RemoteResource resource,
            Optional<Memory> before,
            Content content,
            SortedMap<String, Long> newest,
            String change) {
        SortedMap<DocumentId, Reconcile> documents = new TreeMap<>();
        SortedMap<DocumentId, Reconcile> stay = new TreeMap<>(kept);
        if (kind == Kind.ADD) {
            before.ifPresent(memory -> documents.putAll(memory.documents()));
        }
        content.documents().forEach((id, document) -> documents.put(id, reconcile(document, resource)));
        stay.keySet().removeAll(documents.keySet());
        String published = kind == Kind.ADD ? added(documents()) : Content.hash(documents());
        return new Memory(resource.bucket(), published, change, newest, documents, stay);
    }
}
