package dev.strake.topology.store;

import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.workspace.Head;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.secret.Ciphertext;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.topology.layout.ChangesLayout;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.KeysLayout;
import dev.strake.topology.layout.LayerGraphLayout;
import dev.strake.topology.layout.OwnersLayout;
import dev.strake.topology.layout.RenderedLayout;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.layout.SealedEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Re-encrypts stored data in the background if its key was replaced, or if it was stored before there were keys.
 *
 * <pre>
 *  documents      encrypted documents in clear text or under another key
 *  layer-graph  ┐
 *  rendered     ├ hashes, in workspaces with such documents; only the first time, as their key is never replaced
 *  revisions    ┘
 *  changes        waiting parts under another key: left until they are complete or expire
 *      ▼
 *  a note in the store: everything is encrypted with this key; old keys are no longer in use
 * </pre>
 *
 * Works in steps of limited size. After a restart it begins again, and skips what is encrypted already. The new entries
 * have the same content, so readers are not affected, and a crash between two steps does no harm.
 */
public final class Rewrap {

    private static final Logger LOG = LoggerFactory.getLogger(Rewrap.class);

    /** The largest number of entries in a step, which takes about a millisecond. */
    private static final int MOST_ENTRIES = 100;

    private static final int MOST_BYTES = 128 << 10;

    private final int partition;
    private final Function<String, KeyValueStore<Bytes, byte[]>> stores;
    private final KeyValueStore<Bytes, byte[]> revisions;
    private final StateReader state;
    private final InstalledKeys keys;
    private Round round;
    private boolean isEncryptedAtAll;
    private int done; // the key with which everything is encrypted, if known

    public Rewrap(
            int partition,
            Function<String, KeyValueStore<Bytes, byte[]>> stores,
            StateReader state,
            InstalledKeys keys) {
        this.partition = partition;
        this.stores = stores;
        this.revisions = stores.apply(RevisionsLayout.STORE);
        this.state = state;
        this.keys = keys;
        byte[] sealed = revisions.get(Bytes.wrap(KeysLayout.sealedKey()));
        this.isEncryptedAtAll = sealed != null;
        this.done = sealed == null ? 0 : KeysLayout.readSealed(sealed);
    }

    /** Starts if there is something to encrypt. */
    public void look() {
        SecretKeys now = keys.current();
        if (now.areThere() && round == null && (!isEncryptedAtAll || done != now.current(Purpose.STORAGE))) {
            round = new Round(now);
        }
    }

    public boolean isIdle() {
        return round == null || round.isWaiting();
    }

    public void step() {
        if (round != null) {
            if (round.isOutdated()) {
                round = new Round(keys.current());
            }
            if (round.step()) {
                round = null;
            }
        }
    }

    /** One pass over all stores. */
    private final class Round {

        private final SecretKeys with;
        private final Set<Integer> needed = new HashSet<>();
        private final Set<String> secret = new HashSet<>();
        private final List<Pass> passes = new ArrayList<>();
        private int pass;
        private long written;
        private String graphOf;
        private Graph graph;

        Round(SecretKeys with) {
            this.with = with;
            passes.add(new Pass(DocumentsLayout.STORE, this::document));
            if (!isEncryptedAtAll) {
                passes.add(new Pass(LayerGraphLayout.STORE, this::graph));
                passes.add(new Pass(RenderedLayout.STORE, this::rendered));
                passes.add(new Pass(RevisionsLayout.STORE, this::revision));
            }
        }

        /* Whether the keyset was replaced meanwhile. */
        boolean isOutdated() {
            return keys.current() != with
                    && (!keys.current().areThere()
                            || keys.current().current(Purpose.STORAGE) != with.current(Purpose.STORAGE));
        }

        boolean isWaiting() {
            return pass == passes.size();
        }

        /** Performs a step; returns whether everything is done. */
        boolean step() {
            if (!with.areThere()) {
                return true;
            }
            if (pass < passes.size()) {
                if (passes.get(pass).step()) {
                    pass++;
                }
                return false;
            }
            return !arePartsWaiting() && finish();
        }

        private boolean arePartsWaiting() {
            boolean[] found = new boolean[1];
            Search.scan(
                    stores.apply(ChangesLayout.STORE),
                    ChangesLayout.waitingPrefix(),
                    (key, value) -> found[0] |= ChangesLayout.readWaiting(key, value).arrived().stream()
                            .anyMatch(part -> part.key() != with.current(Purpose.STORAGE)));
            return found[0];
        }

        private boolean finish() {
            Search.scan(revisions, KeysLayout.inUsePrefix(), (key, value) -> {
                int id = KeysLayout.inUse(key);
                if (!KeysLayout.isOfHashes(key, value) && id != with.current(Purpose.STORAGE) && !needed.contains(id)) {
                    revisions.put(Bytes.wrap(key), null);
                }
            });
            revisions.put(Bytes.wrap(KeysLayout.sealedKey()), KeysLayout.writeSealed(with.current(Purpose.STORAGE)));
            boolean isAnotherKey = isEncryptedAtAll && done != with.current(Purpose.STORAGE);
            isEncryptedAtAll = true;
            done = with.current(Purpose.STORAGE);
            if (written > 0 || isAnotherKey) { // after a crash, everything may have been written before
                LOG.info(
                        "Partition {}: all is encrypted with the storage key {} ({} entries anew); older storage keys are not in use here any more",
                        partition,
                        SecretKeyNotFoundException.text(done),
                        written);
            }
            return true;
        }

        private byte[] document(byte[] key, byte[] value) {
            byte[] sealed = DocumentsLayout.sealed(key, value);
            if (sealed == null && isEncryptedAtAll) {
                return null; // clear text by intention
            }
            if (sealed != null) {
                secret.add(DocumentsLayout.workspace(key));
                if (Ciphertext.keyOf(sealed) == with.current(Purpose.STORAGE)) {
                    return null;
                }
                if (!with.has(Purpose.STORAGE, Ciphertext.keyOf(sealed))) {
                    needed.add(Ciphertext.keyOf(sealed));
                    return null;
                }
            }
            DocumentsLayout.Entry entry = DocumentsLayout.read(with, key, value);
            if (entry.isRemoved() || !entry.document().isEncrypted()) {
                return null;
            }
            secret.add(DocumentsLayout.workspace(key));
            return DocumentsLayout.write(with, key, entry);
        }

        private byte[] graph(byte[] key, byte[] value) {
            String workspace = KeyReader.workspace(key);
            if (LayerGraphLayout.isParent(key) || isPassedOver(workspace, value)) {
                return null;
            }
            if (!LayerGraphLayout.isHead(key)) {
                return OwnersLayout.seal(with, key, value);
            }
            return isSecret(workspace, LayerGraphLayout.document(key))
                    ? LayerGraphLayout.sealHead(with, key, value)
                    : null;
        }

        private byte[] rendered(byte[] key, byte[] value) {
            String workspace = KeyReader.workspace(key);
            if (isPassedOver(workspace, value)) {
                return null;
            }
            boolean isSecret = RenderedLayout.isRendering(key) && isSecret(workspace, RenderedLayout.document(key));
            return RenderedLayout.seal(with, key, value, isSecret);
        }

        private byte[] revision(byte[] key, byte[] value) {
            if (!RevisionsLayout.isRevision(key) || isPassedOver(KeyReader.workspace(key), value)) {
                return null;
            }
            RevisionsLayout.Revision revision = RevisionsLayout.read(with, key, value);
            return revision.published().form().isEmpty()
                    ? RevisionsLayout.write(with, key, revision)
                    : null; // others had keys
        }

        /* Building the graph takes as long as opening its workspace. Needed only when the first keys are added. */
        private boolean isSecret(String workspace, DocumentId id) {
            if (!workspace.equals(graphOf)) {
                List<Head> heads = new ArrayList<>();
                state.forEachHead(workspace, heads::add);
                graph = state.graph(workspace, heads);
                graphOf = workspace;
            }
            return graph.knowsSecrets(id);
        }

        private boolean isPassedOver(String workspace, byte[] value) {
            return SealedEntry.isSealed(value) || !secret.contains(workspace);
        }

        /** One pass over one store. */
        private final class Pass {

            private final KeyValueStore<Bytes, byte[]> store;
            private final Sealing sealing;
            private Bytes last;

            Pass(String store, Sealing sealing) {
                this.store = stores.apply(store);
                this.sealing = sealing;
            }

            /** Performs a step; returns whether the end is reached. */
            boolean step() {
                List<KeyValue<Bytes, byte[]>> changed = new ArrayList<>();
                int entries = 0;
                long bytes = 0;
                boolean ended = true;
                try (KeyValueIterator<Bytes, byte[]> all = store.range(last, null)) {
                    while (all.hasNext()) {
                        KeyValue<Bytes, byte[]> entry = all.next();
                        if (entry.key.equals(last)) {
                            continue;
                        }
                        last = entry.key;
                        byte[] anew = sealing.of(entry.key.get(), entry.value);
                        if (anew != null) {
                            changed.add(KeyValue.pair(entry.key, anew));
                        }
                        bytes += entry.value.length;
                        if (++entries == MOST_ENTRIES || bytes >= MOST_BYTES) {
                            ended = false;
                            break;
                        }
                    }
                }
                if (!changed.isEmpty()) {
                    KeysInUse.note(revisions, with);
                }
                changed.forEach(entry -> store.put(entry.key, entry.value));
                written += changed.size();
                return ended;
            }
        }
    }

    /** Returns the new value of an entry; null to keep it. */
    private interface Sealing {
        byte[] of(byte[] key, byte[] value);
    }
}
