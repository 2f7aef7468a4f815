package dev.strake.engine.render;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Fingerprint;
import java.util.Objects;

/**
 * What a document came to when it was last looked at, kept for as long as it is in the head revision.
 *
 * <pre>
 *   could it be evaluated?   no, by its own fault                  Unready
 *                            no, what it depends on is in trouble  Blocked
 *   did it come to data?     no                                    Failed
 *   does the data fit?       no                                    Invalid
 *   is it for consumers?     no, for other documents only          Internal
 *                            yes                                   Published
 * </pre>
 */
public sealed interface Evaluation {

    /** The revision in which data, record or problem last came out different. */
    long changedAt();

    /** The same, come out different in another revision. */
    Evaluation since(long revision);

    /** What is wrong; null if nothing is. */
    default Problem problem() {
        return null;
    }

    /** The document where the trouble began, if that is another one; null otherwise. */
    default DocumentId cause() {
        return null;
    }

    /** Hash of the rendered data as written, the order of its keys included; null if there is none. */
    default Fingerprint data() {
        return null;
    }

    /** The record in the rendered set; null if the document is not in it, or in trouble. */
    default Output output() {
        return null;
    }

    default boolean isInTrouble() {
        return problem() != null;
    }

    /** Whether dependents, consumers and stores can tell the two apart. */
    default boolean hasSameResult(Evaluation other) {
        return other != null && looksSameToDependents(other) && Objects.equals(output(), other.output());
    }

    /** Whether documents that depend on this one can tell the two apart. */
    default boolean looksSameToDependents(Evaluation other) {
        return other != null
                && Objects.equals(data(), other.data())
                && Objects.equals(problem(), other.problem())
                && Objects.equals(cause(), other.cause());
    }

    /**
     * It never came to evaluating, because something is wrong with the document itself: its place in the graph, a source
     * that is not there, or more to read than it may.
     */
    record Unready(Problem problem, long changedAt) implements Evaluation {

        @Override
        public Unready since(long revision) {
            return new Unready(problem, revision);
        }
    }

    /** It never came to evaluating, because a document that it depends on is in trouble. */
    record Blocked(Problem problem, DocumentId cause, long changedAt) implements Evaluation {

        @Override
        public Blocked since(long revision) {
            return new Blocked(problem, cause, revision);
        }
    }

    /**
     * Its inputs cannot be put together.
     *
     * @param inputs hash over all that evaluation used
     */
    record Failed(Fingerprint inputs, Problem problem, long changedAt) implements Evaluated {

        @Override
        public Failed since(long revision) {
            return new Failed(inputs, problem, revision);
        }
    }

    /** Data came out, and breaks a rule that it has to keep. */
    record Invalid(Result result, Problem problem, long changedAt) implements Rendered {

        @Override
        public Invalid since(long revision) {
            return new Invalid(result, problem, revision);
        }
    }

    /** Data came out for other documents to be made with; consumers do not see it. */
    record Internal(Result result, long changedAt) implements Rendered {

        @Override
        public Internal since(long revision) {
            return new Internal(result, revision);
        }
    }

    /** Data came out, and is published. */
    record Published(Result result, Output output, long changedAt) implements Rendered {

        @Override
        public Published since(long revision) {
            return new Published(result, output, revision);
        }
    }

    /** Evaluation took place: as long as its inputs are the same, so is what it came to. */
    sealed interface Evaluated extends Evaluation permits Failed, Rendered {

        /**
         * Hash over all that evaluation used: the document, its base's data, the values at its source paths, the operations
         * on it.
         */
        Fingerprint inputs();
    }

    /** Evaluation came to data. */
    sealed interface Rendered extends Evaluated permits Invalid, Internal, Published {

        Result result();

        @Override
        default Fingerprint inputs() {
            return result().inputs();
        }

        @Override
        default Fingerprint data() {
            return result().data();
        }
    }

    /**
     * Data that came out, as far as it has to be remembered.
     *
     * @param inputs hash over all that evaluation used
     * @param schema hash of the DataSchema that the data was checked against; null if none governs it
     * @param data hash of the data as written
     */
    record Result(Fingerprint inputs, Fingerprint schema, Fingerprint data) {}
}
