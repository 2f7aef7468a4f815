package dev.strake.apply;

/**
 * What happens to one file.
 *
 * @param path below the folder, with slashes
 * @param before what it holds; null if there is none
 * @param after what it will hold; null if there will be none
 * @param secret whether it holds a secret document, before or after
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FileChange(String path, Kind kind, byte[] before, byte[] after, boolean secret) {

    /** What happens, and why. */
    public enum Kind {
        CREATE,
        REPLACE,
        REMOVE,
        /** Somebody changed or removed a file of ours: it is put right. */
        RESTORE,
        /** Nothing: there is a file that is not ours, and it stays as it is. */
        FOREIGN
    }

    /** Never shows the content. */
    @Override
    public String toString() {
        return kind + " " + path;
    }
}
