package dev.strake.topology.store;

import dev.strake.topology.layout.DocumentsLayout;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Reads a store as of a revision: the last entry of each document at or below it, in the order of the keys. Only one
 * entry is on the heap at a time.
 *
 * <p>An iterator of a store shows the store as it was when the iterator was opened. The record of a revision is written
 * after all its entries, and pruning removes the record before any entry. So if the revision is still whole after the
 * iterator was opened, the iterator shows all of its entries, whatever is written or pruned later.
 *
 * <p>For a document with a long history, a search replaces the scan of all its entries. A search is valid only while
 * the revision is whole. Afterwards, reading continues with the iterator that was opened while it was whole.
 */
final class AsOf implements Iterator<AsOf.Entry>, AutoCloseable {

    /** A search costs about as much as this many steps of an iterator. */
    private static final int STEPS = 16;

    /**
     * An entry.
     *
     * @param identity the part of the key that names the document; ordered like the keys
     */
    record Entry(Bytes identity, KeyValue<Bytes, byte[]> at) {

        byte[] key() {
            return at.key.get();
        }

        byte[] value() {
            return at.value;
        }
    }

    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;
    private final RevisionHistory history;
    private final String workspace;
    private final long revision;
    private final int prefix;
    private final Bytes end;
    private KeyValueIterator<Bytes, byte[]> entries;
    private KeyValue<Bytes, byte[]> ahead;
    private Entry next;
    private boolean isGone;

    /**
     * @param prefix the prefix of all keys of the workspace; the document follows, then the revision
     * @param after the key after which to start; null to start at the first one
     * @throws RevisionGoneException if the revision is no longer kept
     */
    AsOf(
            ReadOnlyKeyValueStore<Bytes, byte[]> store,
            RevisionHistory history,
            String workspace,
            long revision,
            byte[] prefix,
            byte[] after) {
        this.store = store;
        this.history = history;
        this.workspace = workspace;
        this.revision = revision;
        this.prefix = prefix.length;
        this.end = Bytes.wrap(Search.successor(prefix));
        this.entries = store.range(Bytes.wrap(after == null ? prefix : after), end);
        try {
            ahead = entries.hasNext() ? entries.next() : null;
            if (!history.isWhole(workspace, revision)) {
                throw new RevisionGoneException(revision);
            }
            next = find();
        } catch (RuntimeException | Error e) {
            entries.close();
            throw e;
        }
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public Entry next() {
        if (next == null) {
            throw new NoSuchElementException();
        }
        Entry result = next;
        next = find();
        return result;
    }

    @Override
    public void close() {
        entries.close();
    }

    private Entry find() {
        while (ahead != null) {
            Entry found = findOfOneDocument();
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private Entry findOfOneDocument() {
        byte[] key = ahead.key.get();
        byte[] identity = Arrays.copyOfRange(key, prefix, key.length - Long.BYTES);
        KeyValue<Bytes, byte[]> found = null;
        for (int steps = 0; ahead != null && isOf(identity); steps++) {
            if (steps == STEPS && !isGone) {
                Optional<KeyValue<Bytes, byte[]>> last = search(ahead.key.get());
                if (!isGone) {
                    return last.map(entry -> new Entry(Bytes.wrap(identity), entry))
                            .orElse(null);
                }
            }
            if (DocumentsLayout.revision(ahead.key.get()) <= revision) {
                found = ahead;
            }
            ahead = entries.hasNext() ? entries.next() : null;
        }
        return found == null ? null : new Entry(Bytes.wrap(identity), found);
    }

    private boolean isOf(byte[] identity) {
        byte[] key = ahead.key.get();
        return Arrays.equals(key, prefix, key.length - Long.BYTES, identity, 0, identity.length);
    }

    /* Finds the last entry of a document, and moves to the next document. Unreliable if the revision is pruned. */
    private Optional<KeyValue<Bytes, byte[]>> search(byte[] key) {
        byte[] behind = DocumentsLayout.withRevision(key, Long.MAX_VALUE); // no revision has that number
        Optional<KeyValue<Bytes, byte[]>> found =
                Search.last(store, DocumentsLayout.withRevision(key, 0), DocumentsLayout.withRevision(key, revision));
        KeyValueIterator<Bytes, byte[]> later = store.range(Bytes.wrap(behind), end);
        KeyValueIterator<Bytes, byte[]> left = later;
        try {
            KeyValue<Bytes, byte[]> first = later.hasNext() ? later.next() : null;
            isGone = !history.isWhole(workspace, revision);
            if (!isGone) {
                left = entries;
                entries = later;
                ahead = first;
            }
        } finally {
            left.close();
        }
        return found;
    }
}
