package dev.strake.serdes.bytes;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the components of a key in the order in which {@link KeyWriter} wrote them. */
public final class KeyReader {

    private final ByteBuffer key;

    public KeyReader(byte[] key) {
        this.key = ByteBuffer.wrap(key);
    }

    /** Skips the kind and the workspace, which start each key in a store with several kinds of entries. */
    public static KeyReader afterWorkspace(byte[] key) {
        KeyReader reader = new KeyReader(key);
        reader.kind();
        reader.text();
        return reader;
    }

    /** Returns the workspace of a key that starts with a kind. */
    public static String workspace(byte[] key) {
        KeyReader reader = new KeyReader(key);
        reader.kind();
        return reader.text();
    }

    /**
     * Reads a kind.
     *
     * @throws IllegalArgumentException if the key ends here
     */
    public int kind() {
        require(1, "kind");
        return key.get();
    }

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException if the key has no text here
     */
    public String text() {
        require(Integer.BYTES, "text");
        int size = key.getInt();
        if (size < 0 || size > key.remaining()) {
            throw new IllegalArgumentException("the key has no text at this place");
        }
        String text = new String(key.array(), key.position(), size, StandardCharsets.UTF_8);
        key.position(key.position() + size);
        return text;
    }

    /**
     * Reads a number.
     *
     * @throws IllegalArgumentException if the key has no number here
     */
    public long number() {
        require(Long.BYTES, "number");
        return key.getLong();
    }

    public DocumentId id() {
        return new DocumentId(text(), text(), text());
    }

    public DocumentKey key() {
        return new DocumentKey(text(), text());
    }

    private void require(int bytes, String what) {
        if (key.remaining() < bytes) {
            throw new IllegalArgumentException("the key ends before its " + what);
        }
    }

    public boolean atEnd() {
        return !key.hasRemaining();
    }
}
