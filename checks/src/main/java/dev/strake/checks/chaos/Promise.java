package dev.strake.checks.chaos;

import java.util.Locale;

/** What Strake promises, each by the name under which the checker reports it. */
public enum Promise {
    /** The rendered topic at an outcome is, byte for byte, what a full rendering of the accepted documents gives. */
    EQUAL,
    /** A revision's records and its outcome agree: how many, which, and what a consumer holds after them. */
    WHOLE,
    /**
     * What a problem holds back is not published: nothing of a failed revision, and no document in trouble of a partial
     * one. Outcomes name the last revision that rendered as a whole.
     */
    HELD,
    /** The problems topic holds the problems that a full rendering of the head has, and no others. */
    REPORTED,
    /** Revisions count 1, 2, 3 …, none twice, none missing, and changes are answered in the order of their records. */
    ORDERED,
    /** What leaves the rendered set leaves the topic. */
    REMOVED,
    /** No record repeats what its key has already. */
    MINIMAL,
    /** Each input record has exactly one outcome, and the right one, or is a dead letter. */
    ACCOUNTED,
    /** A consumer that goes on further back than it stopped can tell the records that it knows, by id and by revision. */
    RESUMABLE,
    /**
     * A subscription of the client library delivers every revision whole and once, goes on from its checkpoints, and gives
     * the set as a whole again only where what came since is not there any more.
     */
    FOLLOWED,
    /** Equal input gives equal output: a fingerprint of it all, to be compared with that of another run. */
    DETERMINISTIC;

    @Override
    public String toString() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
}
