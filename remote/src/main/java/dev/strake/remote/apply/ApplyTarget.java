package dev.strake.remote.apply;

import dev.strake.client.Checkpoint;
import dev.strake.client.RenderedUpdate;
import java.io.IOException;
import java.util.Optional;

/** A target that is kept equal to the rendered documents of a workspace. */
public interface ApplyTarget extends AutoCloseable {

    /** Returns where to resume; empty to start with the full set. */
    default Optional<Checkpoint> checkpoint() throws IOException {
        return Optional.empty();
    }

    /** Whether the target receives documents with secrets in clear. For other targets they are not even decrypted. */
    default boolean takesSecrets() {
        return true;
    }

    /**
     * Applies a step.
     *
     * @param behind the checkpoint after the step; a target that can resume stores it
     * @throws OutOfStepException if the step does not fit and the full set is needed
     * @throws IOException if the step fails; a retry does no harm
     */
    Applied apply(RenderedUpdate update, Checkpoint behind) throws IOException, OutOfStepException;

    /**
     * Does the work that needs no new revision, such as retries. Called about once a second.
     *
     * @return the result; empty if nothing changed
     * @throws IOException as for {@link #apply}
     */
    default Optional<Applied> idle() throws IOException {
        return Optional.empty();
    }

    /** Whether {@link #idle} has nothing left to do soon. */
    default boolean isSettled() {
        return true;
    }

    @Override
    void close() throws IOException;
}
