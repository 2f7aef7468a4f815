package dev.strake.serdes.bytes;

import java.nio.charset.StandardCharsets;

/**
 * Thrown if this program cannot read an entry of a store. The exception fails the task, because such a store cannot be
 * trusted. To recover, restore the store from its changelog, or run the newer program that wrote the entry.
 */
public final class UnreadableStoreException extends RuntimeException {

    public UnreadableStoreException(String store, byte[] key, String what) {
        super(message(store, key, what));
    }

    public UnreadableStoreException(String store, byte[] key, String what, Throwable cause) {
        super(message(store, key, what), cause);
    }

    private static String message(String store, byte[] key, String what) {
        return "the entry " + printable(key) + " of store " + store + " " + what;
    }

    /* Keys hold names of workspaces and documents, never their data. */
    private static String printable(byte[] key) {
        StringBuilder text = new StringBuilder("\"");
        for (char c : new String(key, StandardCharsets.ISO_8859_1).toCharArray()) {
            if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
                text.append(c);
            } else {
                text.append(String.format("\\x%02x", (int) c));
            }
        }
        return text.append('"').toString();
    }
}
