package dev.strake.serdes.outcome;

import java.util.Locale;

/** The result of a change. */
public enum OutcomeStatus {
    /** A revision was made, and all of its documents render. */
    RENDERED,
    /** No document changed; no revision was made. */
    UNCHANGED,
    /** A change with this id was applied before. */
    DUPLICATE,
    /** Parts of the change are missing. */
    PENDING,
    /** The change cannot be applied; the state is untouched. */
    REJECTED,
    /** A revision was made, but some documents do not render: nothing was published. */
    FAILED,
    /** A revision was made and published without the documents that do not render. */
    PARTIAL,
    /** A dry run: nothing was stored or published. */
    PLANNED;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Whether a change with this status made a revision. */
    public boolean isOfRevision() {
        return switch (this) {
            case RENDERED, FAILED, PARTIAL -> true;
            case UNCHANGED, DUPLICATE, PENDING, REJECTED, PLANNED -> false;
        };
    }

    public String text() {
        return text;
    }

    /**
     * Parses a status.
     *
     * @throws IllegalArgumentException if the text is not a status
     */
    public static OutcomeStatus of(String text) {
        for (OutcomeStatus status : values()) {
            if (status.text().equals(text)) {
                return status;
            }
        }
        throw new IllegalArgumentException("there is no status " + text);
    }
}
