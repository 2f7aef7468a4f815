package dev.strake.serdes.bytes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the components of a key in the order in which {@link KeyWriter} wrote them. */
public final class KeyReader {

    private final ByteBuffer key;

    public KeyReader(byte[] key) {
        this.key = ByteBuffer.wrap(key);
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
            throw new IllegalArgumentException("a key has no text here");
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

    private void require(int bytes, String what) {
        if (key.remaining() < bytes) {
            throw new IllegalArgumentException("a key ends before its " + what);
        }
    }

    public boolean atEnd() {
        return !key.hasRemaining();
    }
}
