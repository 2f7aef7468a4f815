package dev.strake.topology.store;

/** Thrown if a revision was pruned while it was being read: the entries read so far may be incomplete. */
public final class RevisionGoneException extends IllegalStateException {

    public RevisionGoneException(long revision) {
        super("revision " + revision + " was pruned while it was read");
    }
}
