package dev.strake.engine.document;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/** How the author of a document wants its data kept: {@code metadata.storagePolicy}. */
public enum StoragePolicy {
    CLEARTEXT("cleartext"),
    ENCRYPTED("encrypted");

    /** The key in the metadata. */
    public static final String KEY = "storagePolicy";

    /** The only key of data sealed by its publisher, and of a ciphertext in a rendered record. */
    public static final String SEALED = "$sealed";

    /** Replaces a value that must not be shown. */
    public static final Text MASK = new Text("******");

    private final String text;

    StoragePolicy(String text) {
        this.text = text;
    }

    public Text text() {
        return new Text(text);
    }

    /** Whether a document asks for encryption; false if it does not say. */
    public static boolean isEncrypted(MapValue document) {
        return document.get("metadata") instanceof MapValue metadata
                && ENCRYPTED.text().equals(metadata.get(KEY));
    }

    /** Whether a document asks for encryption, and its data is sealed for the service. */
    public static boolean isSealed(MapValue document) {
        return isEncrypted(document)
                && document.get("data") instanceof MapValue data
                && data.size() == 1
                && data.get(SEALED) instanceof Text;
    }

    static boolean isOne(Value text) {
        return CLEARTEXT.text().equals(text) || ENCRYPTED.text().equals(text);
    }
}
