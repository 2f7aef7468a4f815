package dev.strake.server.state;

import dev.strake.engine.render.DerivedContents.LockedException;
import dev.strake.engine.render.DerivedContents.UnderivableException;
import dev.strake.server.http.RefusedException;
import dev.strake.topology.store.RevisionGoneException;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/** The errors of questions. */
final class Refused {

    private Refused() {}

    static RefusedException noWorkspace(String workspace) {
        return new RefusedException(
                404, "WorkspaceNotFound", "There is no workspace " + workspace + ", or it never had a document.");
    }

    static RefusedException noRevision(String message) {
        return new RefusedException(404, "RevisionNotFound", message);
    }

    static RefusedException forbidden(String message) {
        return new RefusedException(403, "Forbidden", message);
    }

    static RefusedException notHere() {
        return RefusedException.tryAgain(
                "NotHere",
                "This instance does not have the workspace and does not know which one does. Try again in a moment; "
                        + "with several instances, each needs strake.http.advertised.");
    }

    static RefusedException tooLarge() {
        return new RefusedException(
                422,
                "TooLarge",
                "The answer takes too much memory or work. Use files instead: strake explain and strake affected "
                        + "with --document.");
    }

    static RefusedException changing() {
        return RefusedException.tryAgain(
                "NotReady", "The workspace changes faster than it can be read. Try again in a moment.");
    }

    /** Maps a failure to an error for the client; returns an unexpected failure unchanged. */
    static RuntimeException of(RuntimeException failure, boolean fromStandby) {
        if (failure instanceof RevisionGoneException) {
            return RefusedException.tryAgain(
                    "RevisionGone",
                    "The revision was pruned while it was read, because of later ones. Try again, and read faster.");
        } else if (failure instanceof InvalidStateStoreException) {
            return RefusedException.tryAgain("NotReady", "The state is being restored. Try again in a moment.");
        } else if (failure instanceof LockedException) {
            return new RefusedException(409, "SecretKeyNotFound", failure.getMessage());
        } else if (failure instanceof UnderivableException) {
            // On a standby the stores are updated one by one, so a revision may be inconsistent for a moment.
            return fromStandby
                    ? RefusedException.tryAgain("NotReady", "The copy is between two revisions. Try again in a moment.")
                    : new RefusedException(500, "RenderingLost", failure.getMessage());
        }
        return failure;
    }
}
