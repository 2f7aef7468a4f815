package dev.strake.engine.render;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Fingerprint;
import java.util.Objects;

/**
 * The result of a document when it was last inspected. It is kept as long as the document is in the head revision.
 *
 * <pre>
 *   can it be evaluated?        no, it has a problem itself         Unready
 *                               no, a dependency has a problem      Blocked
 *   is there data?              no, a step of evaluation failed     Failed
 *   does the data keep its rules?   no                              Invalid
 *   is it for consumers?        no, for other documents only        Internal
 *                               yes                                 Published
 * </pre>
 *
 * Either of the last two may be {@link Withheld} when everything is rendered and documents are derived.
 */
public sealed interface Evaluation {

    /** The revision in which data, record or problem last changed. */
    long changedAt();

    /** The same result with another {@link #changedAt}. */
    Evaluation since(long revision);

    /** The problem of the document; null if it has none. */
    default Problem problem() {
        return null;
    }

    /** The document that caused the problem, if it is another one; null otherwise. */
    default DocumentId cause() {
        return null;
    }

    /** The hash of the rendered data as written, including the order of keys; null if there is none. */
    default Fingerprint data() {
        return null;
    }

    /** The record in the rendered set; null if the document is not in it, or has a problem. */
    default Output output() {
        return null;
    }

    /** The same result, if its record is secret and known to be published in this form. */
    default Evaluation in(String form) {
        return this;
    }

    /** The result that dependents see: the one before documents are derived. */
    default Evaluation forDependents() {
        return this;
    }

    default boolean isInTrouble() {
        return problem() != null;
    }

    /** Whether both are the same for dependents, consumers and stores. */
    default boolean hasSameResult(Evaluation other) {
        return other != null && looksSameToDependents(other) && Objects.equals(output(), other.output());
    }

    /** Whether both are the same for documents that depend on this one. */
    default boolean looksSameToDependents(Evaluation other) {
        return other != null
                && Objects.equals(data(), other.data())
                && Objects.equals(problem(), other.problem())
                && Objects.equals(cause(), other.cause());
    }

    /**
     * The document was not evaluated, because it has a problem itself: with its place in the graph, with a missing source, or
     * because its sources take more work to read than the limit allows.
     */
    record Unready(Problem problem, long changedAt) implements Evaluation {

        @Override
        public Unready since(long revision) {
            return new Unready(problem, revision);
        }
    }

    /** The document was not evaluated, because a document that it depends on has a problem. */
    record Blocked(Problem problem, DocumentId cause, long changedAt) implements Evaluation {

        @Override
        public Blocked since(long revision) {
            return new Blocked(problem, cause, revision);
        }
    }

    /**
     * A step of its evaluation failed.
     *
     * @param inputs hash over all that evaluation used
     */
    record Failed(Fingerprint inputs, Problem problem, long changedAt) implements Evaluated {

        @Override
        public Failed since(long revision) {
            return new Failed(inputs, problem, revision);
        }
    }

    /** The document was rendered, and its data breaks a rule. */
    record Invalid(Result result, Problem problem, long changedAt) implements Rendered {

        @Override
        public Invalid since(long revision) {
            return new Invalid(result, problem, revision);
        }
    }

    /** The document was rendered for other documents only; consumers do not see it. */
    record Internal(Result result, long changedAt) implements Rendered {

        @Override
        public Internal since(long revision) {
            return new Internal(result, revision);
        }
    }

    /** The document was rendered, and is published. */
    record Published(Result result, Output output, long changedAt) implements Rendered {

        @Override
        public Published since(long revision) {
            return new Published(result, output, revision);
        }

        @Override
        public Evaluation in(String form) {
            return output.secret() ? new Published(result, output.in(form), changedAt) : this;
        }
    }

    /**
     * The document was rendered, and its dependents can use it. But deriving from it failed, or it takes part in a
     * conflict: a derived document and another document have the same schema and name.
     *
     * @param of the result for dependents
     * @param cause the document that caused the problem, if it is another one; null otherwise
     */
    record Withheld(Rendered of, Problem problem, DocumentId cause, long changedAt) implements Evaluation {

        @Override
        public Withheld since(long revision) {
            return new Withheld(of, problem, cause, revision);
        }

        @Override
        public Evaluation in(String form) {
            return new Withheld((Rendered) of.in(form), problem, cause, changedAt);
        }

        @Override
        public Fingerprint data() {
            return of.data();
        }

        @Override
        public Evaluation forDependents() {
            return of;
        }
    }

    /** The document was evaluated. With the same inputs the result is the same. */
    sealed interface Evaluated extends Evaluation permits Failed, Rendered {

        /**
         * Hash over all that evaluation used: the document, its base's data, the values at its source paths, the operations
         * on it.
         */
        Fingerprint inputs();
    }

    /** The evaluation produced data. */
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
     * The hashes of rendered data.
     *
     * @param inputs hash over all that evaluation used
     * @param schema hash of the DataSchema that the data was checked against; null if none governs it
     * @param data hash of the data as written
     */
    record Result(Fingerprint inputs, Fingerprint schema, Fingerprint data) {}
}
