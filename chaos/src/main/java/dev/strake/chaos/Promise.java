package dev.strake.chaos;

/** What Strake promises, each by the name under which the checker reports it. */
public enum Promise {
    /** The rendered topic at an outcome is what a full rendering of the accepted documents gives. */
    EQUAL,
    /** A revision's records and its outcome agree: how many, which, and what a consumer holds after them. */
    WHOLE,
    /** Revisions count 1, 2, 3 …, none twice, none missing, and changes are answered in the order of their records. */
    ORDERED,
    /** What leaves the rendered set leaves the topic. */
    REMOVED,
    /** No record repeats what its key has already. */
    MINIMAL,
    /** Each input record has exactly one outcome, and the right one, or is a dead letter. */
    ACCOUNTED,
    /** A consumer that stops anywhere and goes on, even a little further back, ends with the same view. */
    RESUMABLE,
    /** Equal input gives equal output: a fingerprint of it all, to be compared with that of another run. */
    DETERMINISTIC;

    @Override
    public String toString() {
        return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
    }
}
