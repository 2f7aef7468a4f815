package dev.strake.remote.apply;

/**
 * What happens to one file, or to one object of a cluster.
 *
 * @param path of a file, below the folder, with slashes; or the identity of an object
 * @param before what it holds; null if there is none, or if nobody wants to see it
 * @param after what it will hold; null if there will be none, or if nobody wants to see it
 * @param secret whether it holds a secret document, before or after
 * @param reason why nothing happens; empty where something does
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TargetChange(String path, Kind kind, byte[] before, byte[] after, boolean secret, String reason) {

    /** What happens, and why. */
    public enum Kind {
        CREATE,
        REPLACE,
        REMOVE,
        /** Somebody changed or removed what is ours: it is put right. */
        RESTORE,
        /** Nothing: it is not ours, and stays as it is. */
        FOREIGN,
        /** Nothing: somebody changed what is ours, and it is only to be told. */
        DRIFTED,
        /** Nothing yet: somebody has to do something first. */
        HELD,
        /** Nothing: it could not be done. */
        FAILED,
        /** Nothing: the document has secrets, which do not go there. */
        OMITTED
    }

    public TargetChange(String path, Kind kind, byte[] before, byte[] after, boolean secret) {
        this(path, kind, before, after, secret, "");
    }

    /** Nothing happens. */
    public static TargetChange nothing(String path, Kind kind, String reason) {
        return new TargetChange(path, kind, null, null, false, reason);
    }

    /** Never shows the content. */
    @Override
    public String toString() {
        return kind + " " + path;
    }
}
