package dev.strake.remote.apply;

/**
 * A change of one file, or of one object in a cluster.
 *
 * @param path the path of a file, relative to the folder, with slashes; or the identity of an object
 * @param before the content before the change; null if there is none, or if it is not shown
 * @param after the content after the change; null if there is none, or if it is not shown
 * @param secret whether the content belongs to a secret document, before or after
 * @param reason the reason why nothing was changed; empty for a change
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TargetChange(String path, Kind kind, byte[] before, byte[] after, boolean secret, String reason) {

    /** The kind of a change, and its cause. */
    public enum Kind {
        CREATE,
        REPLACE,
        REMOVE,
        /** Somebody changed or removed a file or object of the applier; the applier restores it. */
        RESTORE,
        /** No change: the file or object does not belong to the applier. */
        FOREIGN,
        /** No change: somebody changed a file or object of the applier, which only reports it. */
        DRIFTED,
        /** No change yet: the operator or the owner of the target has to act first. */
        HELD,
        /** No change: an error occurred. */
        FAILED,
        /** No change: the document contains secrets, which the target does not receive. */
        OMITTED
    }

    public TargetChange(String path, Kind kind, byte[] before, byte[] after, boolean secret) {
        this(path, kind, before, after, secret, "");
    }

    /** Creates an entry for something that was not changed. */
    public static TargetChange nothing(String path, Kind kind, String reason) {
        return new TargetChange(path, kind, null, null, false, reason);
    }

    /** Never shows the content. */
    @Override
    public String toString() {
        return kind + " " + path;
    }
}
