package dev.strake.topology.layout;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.MissingKey;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.secret.DoesNotOpenException;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.secret.SecretKeys;
import java.nio.ByteBuffer;
import java.util.Comparator;

/**
 * The store of documents as their authors published them, with their whole history.
 *
 * <pre>
 * key     workspace  schema  layer  name  revision
 * value   1  removed: flag
 *            [ is sealed: flag  [ sealed: bytes ]  bucket: text  document: value  origin: optional text  place: number ]
 *
 * sealed   the data of the document as JSON, encrypted; null stands in its place in the document
 * </pre>
 *
 * An entry is valid from the revision that wrote it until the next entry. So "as of revision N" is the last entry at or
 * below N. With keys, encrypted documents are sealed. See {@link SealedEntry} for the associated data of a ciphertext.
 */
public final class DocumentsLayout {

    public static final String STORE = "documents";

    /**
     * A document of a revision.
     *
     * @param bucket null if the document is removed
     * @param document null if the document is removed
     * @param since the revision that wrote the entry
     * @param place the document's position, from 0, in the change that wrote the entry; for a restored document, in the
     *     change that it was restored from
     */
    public record Entry(String bucket, Document document, long since, int place) {

        public static final Entry REMOVED = new Entry(null, null, 0, 0);

        /** The order in which documents were written: by revision, then by position in the change. */
        public static final Comparator<Entry> CREATION =
                Comparator.comparingLong(Entry::since).thenComparingInt(Entry::place);

        public boolean isRemoved() {
            return document == null;
        }
    }

    private static final String DATA = "data";

    /** An estimate of the bytes of an entry without its document: a bucket's name, two lengths, flags and format. */
    private static final int BESIDE_TREE = 64;

    private DocumentsLayout() {}

    /** Returns the key of an entry. The keys of revision 0 and a later one are the bounds of a document's history. */
    public static byte[] key(String workspace, DocumentId id, long revision) {
        return new KeyWriter().text(workspace).id(id).number(revision).bytes();
    }

    public static byte[] prefix(String workspace) {
        return new KeyWriter().text(workspace).bytes();
    }

    public static String workspace(byte[] key) {
        return new KeyReader(key).text();
    }

    public static DocumentId document(byte[] key) {
        KeyReader reader = new KeyReader(key);
        reader.text();
        return reader.id();
    }

    /** Replaces the revision at the end of a key of this store, of a rendering or of a parent. */
    public static byte[] withRevision(byte[] key, long revision) {
        byte[] result = key.clone();
        ByteBuffer.wrap(result, key.length - Long.BYTES, Long.BYTES).putLong(revision);
        return result;
    }

    /** Returns the revision at the end of a key of this store, of a rendering or of a parent. */
    public static long revision(byte[] key) {
        return ByteBuffer.wrap(key, key.length - Long.BYTES, Long.BYTES).getLong();
    }

    public static byte[] write(Entry entry) {
        if (entry.isRemoved()) {
            return new ValueWriter(1, 16).flag(true).bytes();
        }
        MapValue tree = entry.document().tree();
        ValueWriter value = new ValueWriter(1, Math.toIntExact(tree.weight()) + BESIDE_TREE)
                .flag(false)
                .flag(false);
        return write(value, entry, tree);
    }

    private static byte[] write(ValueWriter value, Entry entry, MapValue tree) {
        return value.text(entry.bucket())
                .value(tree)
                .optionalText(entry.document().origin().orElse(null))
                .number(entry.place())
                .bytes();
    }

    /** Writes an entry; with keys, an encrypted document is sealed. */
    public static byte[] write(SecretKeys keys, byte[] key, Entry entry) {
        if (entry.isRemoved() || !keys.areThere() || !entry.document().isEncrypted()) {
            return write(entry);
        }
        Document document = entry.document();
        byte[] sealed = keys.seal(Purpose.STORAGE, JsonBytes.of(document.data()), SealedEntry.place(STORE, key));
        MapValue open = document.tree().with(DATA, Null.NULL);
        ValueWriter value = new ValueWriter(1, sealed.length + Math.toIntExact(open.weight()) + BESIDE_TREE)
                .flag(false)
                .flag(true)
                .bytes(sealed);
        return write(value, entry, open);
    }

    /** Returns the ciphertext of an entry; null if there is none. */
    public static byte[] sealed(byte[] key, byte[] value) {
        ValueReader reader = new ValueReader(STORE, key, value, 1);
        return !reader.flag() && reader.flag() ? reader.bytes() : null;
    }

    /** Reads an entry, with a {@linkplain Document#locked locked} document if its key is missing. */
    public static Entry read(SecretKeys keys, byte[] key, byte[] value) {
        return ValueReader.read(
                STORE, key, value, 1, reader -> reader.flag() ? Entry.REMOVED : entry(keys, key, reader));
    }

    private static Entry entry(SecretKeys keys, byte[] key, ValueReader reader) {
        byte[] sealed = reader.flag() ? reader.bytes() : null;
        String bucket = reader.text();
        MapValue open = (MapValue) reader.value();
        String origin = reader.optionalText();
        Document document = sealed == null ? Document.ofValid(open, origin) : unsealed(keys, key, sealed, open, origin);
        return new Entry(bucket, document, revision(key), reader.smallNumber());
    }

    private static Document unsealed(SecretKeys keys, byte[] key, byte[] sealed, MapValue open, String origin) {
        try {
            byte[] data = keys.open(Purpose.STORAGE, sealed, SealedEntry.place(STORE, key));
            return Document.ofValid(open.with(DATA, JsonReader.read(data)), origin);
        } catch (SecretKeyNotFoundException e) {
            return Document.locked(open, origin, new MissingKey(e.key()));
        } catch (DoesNotOpenException e) {
            throw SealedEntry.damaged(STORE, key, e);
        }
    }
}
