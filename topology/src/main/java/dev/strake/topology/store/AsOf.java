package dev.strake.topology.store;

import dev.strake.serdes.store.DocumentsLayout;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
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
 * <p>It walks through all entries that are kept of the workspace.
 */
final class AsOf implements Iterator<AsOf.Entry>, AutoCloseable {

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

    private final KeyValueIterator<Bytes, byte[]> entries;
    private final long revision;
    private final int prefix;
    private KeyValue<Bytes, byte[]> ahead;
    private Entry next;

    /**
     * @param prefix what all keys of the workspace begin with; the document follows, then the revision
     * @param after the key to begin after; null to begin at the first one
     * @throws RevisionGoneException if the revision is not kept any more
     */
    AsOf(
            ReadOnlyKeyValueStore<Bytes, byte[]> store,
            RevisionReader history,
            String workspace,
            long revision,
            byte[] prefix,
            byte[] after) {
        this.revision = revision;
        this.prefix = prefix.length;
        this.entries = store.range(Bytes.wrap(after == null ? prefix : after), Bytes.wrap(Search.successor(prefix)));
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
        while (ahead != null && isOf(identity)) {
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
}
