package dev.strake.checks.chaos;

import java.util.Locale;

/** The promises of Strake, by the names in reports of the checker. */
public enum Promise {
    /** At an outcome, the rendered topic equals, byte for byte, a full rendering of the accepted documents. */
    EQUAL,
    /** The records of a revision match its outcome in number and content, and so does the view of a consumer. */
    WHOLE,
    /**
     * Held back documents are not published: none of a failed revision, and none in trouble of a partial one. Outcomes
     * name the last revision that rendered as a whole.
     */
    HELD,
    /** The problems topic contains exactly the problems of a full rendering of the head. */
    REPORTED,
    /** Revisions count 1, 2, 3 … without gaps or duplicates, and outcomes have the order of the changes. */
    ORDERED,
    /** Documents removed from the rendered set are removed from the topic. */
    REMOVED,
    /** No record repeats the value that its key already has. */
    MINIMAL,
    /** Each input record has exactly one outcome, which is correct, or is a dead letter. */
    ACCOUNTED,
    /** A consumer that resumes too early can recognize known records, by id and by revision. */
    RESUMABLE,
    /**
     * A subscription of the client library delivers every revision complete and once, resumes from its checkpoints, and
     * delivers the complete set again only if later records were deleted.
     */
    FOLLOWED,
    /** Equal input gives equal output: a fingerprint of all output, to compare with other runs. */
    DETERMINISTIC;

    @Override
    public String toString() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
}
