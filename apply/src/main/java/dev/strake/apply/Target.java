package dev.strake.apply;

import dev.strake.client.Checkpoint;
import dev.strake.client.RenderedUpdate;
import java.io.IOException;
import java.util.Optional;

/** Something that is brought to the rendered documents of a workspace. */
public interface Target extends AutoCloseable {

    /** Where to go on; empty to begin with the set as a whole. */
    default Optional<Checkpoint> checkpoint() throws IOException {
        return Optional.empty();
    }

    /**
     * Takes a step.
     *
     * @param behind the place behind the step, to be kept by a target that wants to go on there
     * @throws OutOfStepException if the step does not fit, and the set as a whole is needed
     * @throws IOException if it cannot be taken now; taking it again does no harm
     */
    Applied apply(RenderedUpdate update, Checkpoint behind) throws IOException, OutOfStepException;

    @Override
    void close() throws IOException;
}
