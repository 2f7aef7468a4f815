package dev.strake.cli.verify;

import dev.strake.cli.verify.Verdict.Difference;
import dev.strake.engine.document.Document;
import java.util.List;
import java.util.Optional;

/** A place that knows which documents a workspace has. What it says can be outdated by the next moment. */
interface Source extends AutoCloseable {

    /**
     * Where a workspace stands.
     *
     * @param head its last revision
     * @param shown the revision that consumers hold: the last one that did not fail; 0 if none was published
     * @param partial whether documents of that revision may be missing or older for consumers, being in trouble
     * @param contentHash of the rendered set according to this place; null if it keeps none
     * @param unexplained what it should know and cannot account for
     */
    record Standing(long head, long shown, boolean partial, String contentHash, List<Difference> unexplained) {}

    /**
     * Where the workspace stands now.
     *
     * @throws UnverifiableException if there is no such workspace, or nobody can tell any more what consumers hold
     */
    Standing standing() throws UnverifiableException, InterruptedException;

    /** The documents of the revision that consumers hold; empty if it was pruned meanwhile. */
    Optional<List<Document>> documents(Standing standing) throws InterruptedException;

    @Override
    default void close() {}
}
