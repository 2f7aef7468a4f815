package dev.strake.topology.store;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.readiness.ValidationResult;
import dev.strake.engine.render.Derived;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Output;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Emission;
import dev.strake.engine.workspace.Head;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.LayerGraphLayout;
import dev.strake.topology.layout.OwnersLayout;
import dev.strake.topology.layout.RenderedLayout;
import dev.strake.topology.layout.RenderedLayout.DerivedRecord;
import dev.strake.topology.layout.RenderedLayout.Rendering;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.layout.RevisionsLayout.Horizon;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import dev.strake.topology.layout.SealedEntry;
import dev.strake.topology.layout.TouchedLayout;
import dev.strake.topology.layout.TouchedLayout.Before;
import dev.strake.topology.layout.TouchedLayout.Touched;
import dev.strake.topology.layout.ValidationsLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** Writes revisions into the stores: only entries for what a revision changed. */
public final class StateWriter {

    private final KeyValueStore<Bytes, byte[]> documents;
    private final KeyValueStore<Bytes, byte[]> revisions;
    private final KeyValueStore<Bytes, byte[]> graph;
    private final KeyValueStore<Bytes, byte[]> rendered;
    private final InstalledKeys keys;
    private SecretKeys noted = SecretKeys.NONE;

    /**
     * @param keys encrypt secrets
     */
    public StateWriter(Function<String, KeyValueStore<Bytes, byte[]>> stores, InstalledKeys keys) {
        this.keys = keys;
        this.documents = stores.apply(DocumentsLayout.STORE);
        this.revisions = stores.apply(RevisionsLayout.STORE);
        this.graph = stores.apply(LayerGraphLayout.STORE);
        this.rendered = stores.apply(RenderedLayout.STORE);
    }

    /**
     * Writes the revision that a change made; its record last. So a concurrent query that finds the record finds the
     * whole revision.
     *
     * @param head the workspace before the change
     */
    public void write(String workspace, Workspace head, Update update, Revision revision) {
        long number = update.next().revision();
        Graph after = update.next().graph();
        Seal seal = new Seal(keys.current(), workspace, head, update.next());
        update.edits().forEach((id, edit) -> {
            writeEdit(workspace, number, id, edit, seal);
            if (edit.kind() != Edit.Kind.REMOVED
                    && !update.results().evaluations().containsKey(id)) { // not evaluated again
                writeHead(workspace, new Head(after.facts(id), update.next().evaluation(id)), seal);
            }
        });
        update.results().evaluations().forEach((id, again) -> {
            if (again.now().changedAt() == number) {
                Rendering rendering = Rendering.of(again.now(), after.isRendered(again.facts()));
                byte[] key = RenderedLayout.key(workspace, id, number);
                put(rendered, key, RenderedLayout.write(seal.keysOf(id), key, rendering));
            }
            writeHead(workspace, new Head(again.facts(), again.now()), seal);
        });
        Set<DocumentId> moved = moved(head.graph(), update);
        for (DocumentId id : moved) {
            byte[] key = LayerGraphLayout.parentKey(workspace, id, number);
            put(graph, key, LayerGraphLayout.writeParent(parent(after, id)));
        }
        update.published()
                .held()
                .forEach((key, output) -> writeHeld(RenderedLayout.heldKey(workspace, key), output, seal));
        update.derived()
                .owners()
                .forEach((owner, now) ->
                        writeOwner(workspace, owner, head.derivations().of(owner), now, seal));
        update.derived().documents().forEach((key, now) -> {
            DerivedRecord record = now.map(each ->
                            new DerivedRecord(each.owner(), each.output().record()))
                    .orElse(DerivedRecord.NONE);
            byte[] stored = RenderedLayout.derivedKey(workspace, key, number);
            put(rendered, stored, RenderedLayout.writeDerived(seal.all(), stored, record));
        });
        List<Touched> touched = touched(head, update, moved);
        boolean small = touched.size() <= TouchedLayout.SMALL;
        if (!small) {
            writeParts(workspace, number, touched);
        }
        // If anything is held back, consumers may see clear text. All other secrets are published in a form whose
        // hash reveals nothing.
        boolean isSecret = seal.all().areThere()
                && (!update.next().holdings().held().isEmpty()
                        || revision.published().form().isEmpty());
        writeRevision(workspace, number, small ? revision.withTouched(touched) : revision, isSecret);
    }

    /** The keys with which the parts of a new revision are encrypted. */
    private final class Seal {

        private final SecretKeys ofDocuments;
        private final SecretKeys all;
        private final Graph after;

        /* After the last secret is gone, consumers may still see secrets, until nothing is held back any more. */
        Seal(SecretKeys with, String workspace, Workspace head, Workspace next) {
            this.ofDocuments = with;
            this.after = next.graph();
            boolean any = with.areThere()
                    && (after.hasSecrets()
                            || head.graph().hasSecrets()
                            || (!next.holdings().held().isEmpty() && isSealed(workspace, head.revision())));
            this.all = any ? with : SecretKeys.NONE;
            if (any && with != noted) {
                KeysInUse.note(revisions, with);
                noted = with;
            }
        }

        /** The keys for documents with {@code storagePolicy: encrypted}. */
        SecretKeys ofDocuments() {
            return ofDocuments;
        }

        /** The keys for entries that may contain hashes of any secret data; none if nothing is secret. */
        SecretKeys all() {
            return all;
        }

        /** The keys for stored hashes of a document; none if they do not depend on secret data. */
        SecretKeys keysOf(DocumentId id) {
            return all.areThere() && after.knowsSecrets(id) ? all : SecretKeys.NONE;
        }
    }

    /** Rewrites the record of a revision with other tags. Nothing else of the record ever changes. */
    public void writeTags(String workspace, long number, Revision revision) {
        writeRevision(workspace, number, revision, isSealed(workspace, number));
    }

    /** Adds the result of a validation to a revision, and records for pruning that there are results. */
    public void writeResult(String workspace, long revision, int number, ValidationResult result, Horizon horizon) {
        put(revisions, ValidationsLayout.key(workspace, revision, number), ValidationsLayout.write(result));
        if (!horizon.validated()) {
            Horizon validated = new Horizon(horizon.first(), horizon.tagged(), horizon.start(), true);
            put(revisions, RevisionsLayout.horizonKey(workspace), RevisionsLayout.writeHorizon(validated));
        }
    }

    /** Removes all results of a revision. */
    public void removeResults(String workspace, long revision, int count) {
        for (int number = count - 1; number >= 0; number--) {
            put(revisions, ValidationsLayout.key(workspace, revision, number), null);
        }
    }

    private boolean isSealed(String workspace, long number) {
        byte[] stored = revisions.get(Bytes.wrap(RevisionsLayout.key(workspace, number)));
        return stored != null && SealedEntry.isSealed(stored);
    }

    private void writeRevision(String workspace, long number, Revision revision, boolean isSecret) {
        byte[] key = RevisionsLayout.key(workspace, number);
        SecretKeys now = isSecret ? keys.current() : SecretKeys.NONE;
        put(revisions, key, RevisionsLayout.write(now, key, revision));
    }

    private void writeHeld(byte[] key, Optional<Output> output, Seal seal) {
        put(rendered, key, output == null ? null : RenderedLayout.writeHeld(seal.all(), key, output));
    }

    private void writeEdit(String workspace, long number, DocumentId id, Edit edit, Seal seal) {
        boolean removed = edit.kind() == Edit.Kind.REMOVED;
        DocumentsLayout.Entry entry = removed
                ? DocumentsLayout.Entry.REMOVED
                : new DocumentsLayout.Entry(edit.facts().bucket(), edit.document(), number, edit.place());
        byte[] key = DocumentsLayout.key(workspace, id, number);
        put(documents, key, DocumentsLayout.write(seal.ofDocuments(), key, entry));
        if (removed) {
            put(rendered, RenderedLayout.key(workspace, id, number), RenderedLayout.write(Rendering.REMOVED));
            put(graph, LayerGraphLayout.headKey(workspace, id), null);
        }
    }

    private void writeHead(String workspace, Head head, Seal seal) {
        DocumentId id = head.facts().id();
        byte[] key = LayerGraphLayout.headKey(workspace, id);
        put(graph, key, LayerGraphLayout.writeHead(seal.keysOf(id), key, head));
    }

    /* Writes only entries that differ. */
    private void writeOwner(String workspace, DocumentId owner, Derived before, Derived now, Seal seal) {
        Map<Bytes, byte[]> old = OwnersLayout.entries(workspace, owner, before);
        Map<Bytes, byte[]> entries = OwnersLayout.entries(workspace, owner, now);
        entries.forEach((entry, value) -> {
            if (!Arrays.equals(value, old.remove(entry))) {
                graph.put(entry, OwnersLayout.seal(seal.all(), entry.get(), value));
            }
        });
        old.keySet().forEach(gone -> graph.put(gone, null));
    }

    private static DocumentId parent(Graph graph, DocumentId id) {
        return graph.facts(id) == null ? null : graph.parent(id);
    }

    /* Returns the documents whose parent has changed. */
    private static Set<DocumentId> moved(Graph before, Update update) {
        Graph after = update.next().graph();
        Set<DocumentId> result = new TreeSet<>(update.results().moved());
        result.addAll(update.edits().keySet());
        result.removeIf(id -> Objects.equals(parent(before, id), parent(after, id)));
        return result;
    }

    private static List<Touched> touched(Workspace head, Update update, Set<DocumentId> moved) {
        long number = update.next().revision();
        Map<DocumentId, Touched> touched = new HashMap<>();
        update.edits().forEach((id, edit) -> {
            Facts before = head.graph().facts(id);
            long documentBefore = before == null ? 0 : before.since();
            boolean removed = edit.kind() == Edit.Kind.REMOVED;
            touch(touched, Touched.ofEdit(id, removed, new Before(documentBefore, renderedBefore(head, id))));
        });
        moved.forEach(id -> touch(touched, Touched.ofMove(id)));
        update.results().evaluations().forEach((id, again) -> {
            if (again.now().changedAt() == number) {
                touch(touched, Touched.ofRendering(id, again.changedBefore()));
            }
        });
        update.derived().documents().keySet().forEach(key -> touch(touched, Touched.ofDerived(key)));
        for (Emission emission : update.emissions()) {
            if (emission.owner() != null && !update.derived().documents().containsKey(emission.key())) {
                touch(touched, Touched.ofDerived(emission.key()));
            }
            DocumentId id = emission.document();
            if (id != null && !touched.containsKey(id)) { // held back by an earlier revision, published by this one
                touch(touched, Touched.ofRendering(id, 0));
            }
        }
        List<Touched> inOrder = new ArrayList<>(touched.values());
        inOrder.sort(Comparator.comparing(Touched::document));
        return inOrder;
    }

    private void writeParts(String workspace, long number, List<Touched> all) {
        for (int part = 0; part * TouchedLayout.PART_SIZE < all.size(); part++) {
            int from = part * TouchedLayout.PART_SIZE;
            List<Touched> some = all.subList(from, Math.min(all.size(), from + TouchedLayout.PART_SIZE));
            put(revisions, TouchedLayout.key(workspace, number, part), TouchedLayout.write(some));
        }
    }

    private static long renderedBefore(Workspace head, DocumentId id) {
        Evaluation before = head.evaluation(id);
        return before == null ? 0 : before.changedAt();
    }

    private static void touch(Map<DocumentId, Touched> all, Touched touched) {
        all.merge(touched.document(), touched, Touched::and);
    }

    private static void put(KeyValueStore<Bytes, byte[]> store, byte[] key, byte[] value) {
        store.put(Bytes.wrap(key), value);
    }
}
