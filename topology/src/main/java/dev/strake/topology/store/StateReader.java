package dev.strake.topology.store;

import dev.strake.engine.document.MissingKey;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.render.Derived;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Output;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.workspace.Head;
import dev.strake.engine.workspace.Holdings;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.bytes.UnreadableStoreException;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.LayerGraphLayout;
import dev.strake.topology.layout.OwnersLayout;
import dev.strake.topology.layout.RenderedLayout;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import dev.strake.topology.layout.SealedEntry;
import dev.strake.topology.layout.SharedParts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Reads workspaces from the stores: their heads, and their documents as of any revision. */
public final class StateReader {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> documents;
    private final RevisionHistory history;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> graph;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> rendered;
    private final KeysInUse inUse;
    private final InstalledKeys keys;

    /**
     * Creates a reader of stores.
     *
     * @param keys decrypt secrets
     */
    public StateReader(Function<String, ReadOnlyKeyValueStore<Bytes, byte[]>> stores, InstalledKeys keys) {
        this.keys = keys;
        this.documents = stores.apply(DocumentsLayout.STORE);
        this.history = new RevisionHistory(stores.apply(RevisionsLayout.STORE), keys);
        this.inUse = new KeysInUse(stores.apply(RevisionsLayout.STORE));
        this.graph = stores.apply(LayerGraphLayout.STORE);
        this.rendered = stores.apply(RenderedLayout.STORE);
    }

    public RevisionHistory history() {
        return history;
    }

    /** The keys in use. */
    SecretKeys keys() {
        return keys.current();
    }

    /** The missing keys with which entries are encrypted. */
    Set<Integer> missingKeys() {
        return inUse.missing(keys.current());
    }

    /**
     * Reads the head of a workspace from the heads of its documents. If keys are missing, some hashes are unknown; the
     * next change inspects the affected documents.
     */
    public Workspace open(String workspace) {
        long number = history.lastRevision(workspace);
        if (number == 0) {
            return Workspace.EMPTY;
        }
        Revision last = history.revision(workspace, number).orElseThrow();
        LockedHeads locked = new LockedHeads(this, workspace, !missingKeys().isEmpty());
        List<Head> heads = new ArrayList<>();
        forEachHead(workspace, (head, missing) -> heads.add(locked.add(head, missing)));
        Map<DocumentKey, Optional<Output>> held = new HashMap<>();
        Search.scan(
                rendered,
                RenderedLayout.heldPrefix(workspace),
                (key, value) ->
                        held.put(RenderedLayout.held(key), RenderedLayout.readHeld(keys.current(), key, value)));
        Graph layers = graph(workspace, heads);
        locked.hold(layers, held);
        OwnersLayout.Collected owners = new OwnersLayout.Collected();
        for (byte[] prefix : OwnersLayout.prefixes(workspace)) {
            Search.scan(
                    graph,
                    prefix,
                    (key, value) -> owners.add(key, opened(key, value).value()));
        }
        Map<DocumentId, Derived> derived = owners.owners();
        Digest digest = checkWhole(workspace, number, last, heads, derived, held);
        return Workspace.restored(
                number,
                new Workspace.Rules(last.limits(), last.published().form()),
                layers,
                heads,
                derived,
                Holdings.of(
                        held,
                        last.published().records(),
                        digest,
                        last.published().revision()),
                locked.rekeyed());
    }

    private SealedEntry.Opened opened(byte[] key, byte[] value) {
        return SealedEntry.open(keys.current(), LayerGraphLayout.STORE, key, value);
    }

    /** The record that consumers see under a key whose record of the head is held back; empty if they see none. */
    public Optional<Output> held(String workspace, DocumentKey key) {
        byte[] stored = RenderedLayout.heldKey(workspace, key);
        return Optional.ofNullable(rendered.get(Bytes.wrap(stored)))
                .flatMap(value -> RenderedLayout.readHeld(keys.current(), stored, value));
    }

    /*
     * Checks that the heads match the totals in the revision. If a store has lost entries, or is behind another store,
     * the task must stop, and must not answer as if the entries had never existed. If hashes are lost with their key,
     * the digest covers the other records. If the digest of the revision is lost, only the totals are compared.
     */
    private static Digest checkWhole(
            String workspace,
            long number,
            Revision last,
            List<Head> heads,
            Map<DocumentId, Derived> derived,
            Map<DocumentKey, Optional<Output>> held) {
        List<Output> published = new ArrayList<>(heads.size());
        long newest = 0;
        for (Head head : heads) {
            Evaluation evaluation = head.evaluation();
            newest = Math.max(
                    newest, Math.max(evaluation.changedAt(), head.facts().since()));
            // Usually nothing is held back; then no key for each document is needed.
            if (evaluation.output() != null
                    && (held.isEmpty() || !held.containsKey(head.facts().key()))) {
                published.add(evaluation.output());
            }
        }
        for (Derived each : derived.values()) { // what is stale, or claimed by several, is held
            each.documents().forEach((key, output) -> {
                if (!held.containsKey(key)) {
                    published.add(output);
                }
            });
        }
        held.values().forEach(output -> output.ifPresent(published::add));
        Digest digest = Digest.ZERO;
        boolean isLost = false;
        for (Output output : published) {
            digest = digest.plus(output.digest());
            isLost |= output.record().equals(Fingerprint.LOST);
        }
        isLost |= !published.isEmpty() && last.published().digest().equals(Digest.ZERO);
        boolean addsUp = isLost || digest.equals(last.published().digest());
        if (heads.size() != last.documents().total()
                || published.size() != last.published().records()
                || newest > number
                || !addsUp) {
            throw new UnreadableStoreException(
                    LayerGraphLayout.STORE,
                    LayerGraphLayout.headPrefix(workspace),
                    "and those with the same prefix (%d documents, %d of them published, the newest of revision %d) do not match revision %d in store %s (%d documents, %d published): entries are missing"
                            .formatted(
                                    heads.size(),
                                    published.size(),
                                    newest,
                                    number,
                                    RevisionsLayout.STORE,
                                    last.documents().total(),
                                    last.published().records()));
        }
        return digest;
    }

    /** The layer graph of the heads of a workspace. */
    Graph graph(String workspace, Collection<Head> heads) {
        return Head.graph(heads, id -> parentAsOf(workspace, id, Long.MAX_VALUE));
    }

    /** The parent of a document as of a revision; null if it had none. */
    public DocumentId parentAsOf(String workspace, DocumentId id, long revision) {
        byte[] none = LayerGraphLayout.parentKey(workspace, id, 0);
        return Search.last(graph, none, LayerGraphLayout.parentKey(workspace, id, revision))
                .map(entry -> LayerGraphLayout.readParent(entry.key.get(), entry.value))
                .orElse(null);
    }

    /** Visits the heads of all documents. */
    public void forEachHead(String workspace, Consumer<Head> action) {
        forEachHead(workspace, (head, missing) -> action.accept(head));
    }

    private void forEachHead(String workspace, BiConsumer<Head, MissingKey> action) {
        SharedParts shared = new SharedParts();
        Search.scan(graph, LayerGraphLayout.headPrefix(workspace), (key, value) -> {
            SealedEntry.Opened opened = opened(key, value);
            Head head = LayerGraphLayout.readHead(key, opened.value(), shared);
            MissingKey missing = opened.missing();
            action.accept(missing == null ? head : LayerGraphLayout.withoutHashes(head, missing), missing);
        });
    }

    /** The documents of a revision, all or only those after a given one. */
    AsOf documentsAsOf(String workspace, long revision, DocumentId after) {
        byte[] from = after == null ? null : DocumentsLayout.key(workspace, after, Long.MAX_VALUE);
        return new AsOf(documents, history, workspace, revision, DocumentsLayout.prefix(workspace), from);
    }

    /** The renderings of a revision, all or only those after a given document. */
    AsOf renderingsAsOf(String workspace, long revision, DocumentId after) {
        byte[] from = after == null ? null : RenderedLayout.key(workspace, after, Long.MAX_VALUE);
        return new AsOf(rendered, history, workspace, revision, RenderedLayout.prefix(workspace), from);
    }

    /** The derived documents of a revision, by schema and name. */
    AsOf derivedAsOf(String workspace, long revision, DocumentKey after) {
        byte[] from = after == null ? null : RenderedLayout.derivedKey(workspace, after, Long.MAX_VALUE);
        return new AsOf(rendered, history, workspace, revision, RenderedLayout.derivedPrefix(workspace), from);
    }

    public RenderedLayout.DerivedRecord derivedAsOf(String workspace, DocumentKey key, long revision) {
        return Search.last(
                        rendered,
                        RenderedLayout.derivedKey(workspace, key, 0),
                        RenderedLayout.derivedKey(workspace, key, revision))
                .map(entry -> RenderedLayout.readDerived(keys.current(), entry.key.get(), entry.value))
                .orElse(RenderedLayout.DerivedRecord.NONE);
    }

    /** A document as published, by the revision that wrote it. */
    public DocumentsLayout.Entry document(String workspace, DocumentId id, long writtenAt) {
        byte[] key = DocumentsLayout.key(workspace, id, writtenAt);
        return DocumentsLayout.read(keys.current(), key, required(documents, key));
    }

    /** A document as of a revision; removed if it did not exist then. */
    public DocumentsLayout.Entry documentAsOf(String workspace, DocumentId id, long revision) {
        return Search.last(
                        documents, DocumentsLayout.key(workspace, id, 0), DocumentsLayout.key(workspace, id, revision))
                .map(entry -> DocumentsLayout.read(keys.current(), entry.key.get(), entry.value))
                .orElse(DocumentsLayout.Entry.REMOVED);
    }

    /** The rendering of a document as of a revision; removed if the document did not exist then. */
    public RenderedLayout.Rendering renderingAsOf(String workspace, DocumentId id, long revision) {
        return Search.last(rendered, RenderedLayout.key(workspace, id, 0), RenderedLayout.key(workspace, id, revision))
                .map(entry -> RenderedLayout.read(keys.current(), entry.key.get(), entry.value))
                .orElse(RenderedLayout.Rendering.REMOVED);
    }

    /** The last revision that rendered a document to a record; 0 if none is known. */
    long lastRenderedAs(String workspace, DocumentId id, Fingerprint record) {
        return lastRevision(
                RenderedLayout.key(workspace, id, 0),
                RenderedLayout.key(workspace, id, Long.MAX_VALUE),
                entry -> RenderedLayout.read(keys.current(), entry.key.get(), entry.value)
                        .record(),
                record);
    }

    /** The last revision that derived a record; 0 if none is known. */
    long lastDerivedAs(String workspace, DocumentKey key, Fingerprint record) {
        return lastRevision(
                RenderedLayout.derivedKey(workspace, key, 0),
                RenderedLayout.derivedKey(workspace, key, Long.MAX_VALUE),
                entry -> RenderedLayout.readDerived(keys.current(), entry.key.get(), entry.value)
                        .record(),
                record);
    }

    private long lastRevision(
            byte[] from, byte[] to, Function<KeyValue<Bytes, byte[]>, Fingerprint> recordOf, Fingerprint record) {
        try (Stream<KeyValue<Bytes, byte[]>> newestFirst = Search.reversed(rendered, from, to)) {
            return newestFirst
                    .filter(entry -> record.equals(recordOf.apply(entry)))
                    .findFirst()
                    .map(entry -> DocumentsLayout.revision(entry.key.get()))
                    .orElse(0L);
        }
    }

    private static byte[] required(ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] key) {
        byte[] value = store.get(Bytes.wrap(key));
        if (value == null) {
            throw new IllegalStateException("a store lacks the entry that its head points to: " + Bytes.wrap(key)
                    + "; delete the local state of this task, which is restored from the changelog");
        }
        return value;
    }
}
