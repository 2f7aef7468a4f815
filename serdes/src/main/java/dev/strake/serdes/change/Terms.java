package dev.strake.serdes.change;

/**
 * On what terms a change is published.
 *
 * @param dryRun whether the change is not to be made: its outcome says what it would do, and nothing is stored or rendered
 *     for consumers
 * @param expectedRevision the head revision that the author saw; null if any will do
 * @param removals how many documents the change may remove
 * @param asDeckhand whether a {@code bucket.put} means what a PUT means in Deckhand: a layering policy that it leaves out
 *     stays, and a validation policy that it has makes a revision
 */
public record Terms(boolean dryRun, Long expectedRevision, RemovalLimit removals, boolean asDeckhand) {

    /** The change is made, whatever the head is, and whatever it removes. */
    public static final Terms NONE = new Terms(false, null, RemovalLimit.NONE, false);

    /** The same terms for a change that is only tried. */
    public Terms asDryRun() {
        return new Terms(true, expectedRevision, removals, asDeckhand);
    }

    public Terms removing(RemovalLimit other) {
        return new Terms(dryRun, expectedRevision, other, asDeckhand);
    }

    public Terms putAsDeckhand() {
        return new Terms(dryRun, expectedRevision, removals, true);
    }
}
