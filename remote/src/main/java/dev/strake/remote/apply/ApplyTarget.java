package dev.strake.remote.apply;

import dev.strake.client.Checkpoint;
import dev.strake.client.RenderedUpdate;
import java.io.IOException;
import java.util.Optional;

/** Something that is brought to the rendered documents of a workspace. */
public interface ApplyTarget extends AutoCloseable {

    /** Where to go on; empty to begin with the set as a whole. */
    default Optional<Checkpoint> checkpoint() throws IOException {
        return Optional.empty();
    }

    /** Whether it gets documents with secrets, in clear. Others need not even be opened for it. */
    default boolean takesSecrets() {
        return true;
    }

    /**
     * Takes a step.
     *
     * @param behind the place behind the step, to be kept by a target that wants to go on there
     * @throws OutOfStepException if the step does not fit, and the set as a whole is needed
     * @throws IOException if it cannot be taken now; taking it again does no harm
     */
    Applied apply(RenderedUpdate update, Checkpoint behind) throws IOException, OutOfStepException;

    /**
     * Does what is to be done without a new revision, such as trying again what failed. Called about every second.
     *
     * @return what happened; empty if nothing
     * @throws IOException as {@link #apply}
     */
    default Optional<Applied> idle() throws IOException {
        return Optional.empty();
    }

    /** Whether nothing is left that {@link #idle} would do soon. */
    default boolean isSettled() {
        return true;
    }

    @Override
    void close() throws IOException;
}
