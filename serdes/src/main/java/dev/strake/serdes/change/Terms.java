package dev.strake.serdes.change;

/**
 * On what terms a change is published.
 *
 * @param dryRun whether the change is not to be made: its outcome says what it would do, and nothing is stored or rendered
 *     for consumers
 * @param expectedRevision the head revision that the author saw; null if any will do
 */
public record Terms(boolean dryRun, Long expectedRevision) {

    /** The change is made, whatever the head is. */
    public static final Terms NONE = new Terms(false, null);
}
