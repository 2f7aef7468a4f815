package dev.strake.topology.store;

/** A revision was pruned while it was read: what was read until then may lack entries. */
public final class RevisionGoneException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public RevisionGoneException(long revision) {
        super("revision " + revision + " was pruned while it was read");
    }
}
