package dev.strake.topology.query;

import static java.util.Comparator.comparing;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.RenderedLayout.Rendering;
import dev.strake.topology.query.Differences.Difference;
import dev.strake.topology.store.RevisionGoneException;
import dev.strake.topology.store.RevisionHistory;
import dev.strake.topology.store.StateReader;
import dev.strake.topology.store.StoredRevision;
import dev.strake.topology.store.StoredRevision.Read;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Compares two revisions of a workspace. Only documents that were touched in between are read. */
final class TwoRevisions {

    private final StateReader state;
    private final RevisionHistory history;
    private final String workspace;
    private final long from;
    private final long to;

    TwoRevisions(StateReader state, String workspace, long from, long to) {
        this.state = state;
        this.history = state.history();
        this.workspace = workspace;
        this.from = from;
        this.to = to;
    }

    /**
     * Returns the differences.
     *
     * @param wanted selects the documents to compare
     * @param held called before each document is read; its exception stops the comparison
     * @throws RevisionGoneException if one of the two was pruned meanwhile
     */
    Differences differences(Predicate<DocumentId> wanted, Runnable held) {
        SortedMap<DocumentId, Difference> documents = new TreeMap<>();
        Side before = new Side(from);
        Side after = new Side(to);
        for (DocumentId id : touched(wanted, held)) {
            difference(before.add(id), after.add(id)).ifPresent(found -> documents.put(id, found));
        }
        // By key, not by document: a document that moved to another layer is still the same rendered document.
        TreeSet<DocumentKey> keys = new TreeSet<>(before.records.keySet());
        keys.addAll(after.records.keySet());
        SortedMap<DocumentKey, Difference> rendered = new TreeMap<>();
        SortedMap<DocumentKey, Problem> problems = new TreeMap<>();
        for (DocumentKey key : keys) {
            difference(before.records.get(key), after.records.get(key)).ifPresent(found -> {
                rendered.put(key, found);
                Optional<Problem> problem = switch (found) {
                    case CREATED -> before.problem(key, after);
                    case MODIFIED -> Optional.empty();
                    case DELETED -> after.problem(key, before);
                };
                problem.ifPresent(why -> problems.put(key, why));
            });
        }
        for (long each : new long[] {from, to}) {
            if (!history.isWhole(workspace, each)) {
                throw new RevisionGoneException(each);
            }
        }
        return new Differences(documents, rendered, problems);
    }

    /** The part of one revision that is compared. */
    private final class Side {

        private final long revision;
        private final Map<DocumentKey, Fingerprint> records = new TreeMap<>();
        private final Map<DocumentKey, Problem> problems = new TreeMap<>();

        Side(long revision) {
            this.revision = revision;
        }

        /* Reads a document; returns it as published, or null if the revision does not have it. */
        MapValue add(DocumentId id) {
            if (revision == 0) { // revision 0 is empty, and each read would be a search
                return null;
            }
            DocumentsLayout.Entry entry = state.documentAsOf(workspace, id, revision);
            Rendering rendering = state.renderingAsOf(workspace, id, revision);
            if (rendering.record() != null) {
                records.put(id.key(), rendering.record());
            }
            if (id.layer().isEmpty()) {
                Fingerprint derived =
                        state.derivedAsOf(workspace, id.key(), revision).record();
                if (derived != null) {
                    records.put(id.key(), derived);
                }
            }
            if (rendering.problem() != null
                    && rendering.inRenderedSet()) { // other documents have no record even without a problem
                problems.merge(id.key(), rendering.problem(), BinaryOperator.minBy(comparing(Problem::document)));
            }
            return entry.isRemoved() ? null : entry.document().tree();
        }

        /*
         * Why this revision lacks a record of the other one: the problem of its document, or of the document's owner.
         */
        Optional<Problem> problem(DocumentKey key, Side other) {
            Problem own = problems.get(key);
            if (own != null || revision == 0) {
                return Optional.ofNullable(own);
            }
            DocumentId owner = state.derivedAsOf(workspace, key, other.revision).owner();
            return Optional.ofNullable(owner)
                    .map(id -> state.renderingAsOf(workspace, id, revision).problem());
        }
    }

    /* Returns all documents that may differ. */
    private SortedSet<DocumentId> touched(Predicate<DocumentId> wanted, Runnable held) {
        SortedSet<DocumentId> ids = new TreeSet<>();
        Consumer<DocumentId> hold = id -> {
            if (wanted.test(id) && ids.add(id)) {
                held.run();
            }
        };
        long earlier = Math.min(from, to);
        long later = Math.max(from, to);
        if (earlier == 0) { // it is empty, so all documents of the other one differ; revisions after 0 may be pruned
            StoredRevision all = new StoredRevision(state, workspace, later);
            try (Stream<Read<Rendering>> renderings = all.renderings(null)) {
                renderings.forEach(read -> hold.accept(read.id()));
            }
            try (Stream<StoredRevision.ReadDerived> derived = all.derivedDocuments(null)) {
                derived.forEach(read -> hold.accept(
                        new DocumentId(read.key().schema(), "", read.key().name())));
            }
        } else {
            history.forEachTouched(workspace, earlier, later, touched -> hold.accept(touched.document()));
        }
        return ids;
    }

    private static Optional<Difference> difference(Object before, Object after) {
        if (Objects.equals(before, after)) {
            return Optional.empty();
        }
        return Optional.of(
                before == null ? Difference.CREATED : after == null ? Difference.DELETED : Difference.MODIFIED);
    }
}
