package dev.strake.serdes.change;

/**
 * The conditions under which a change is published.
 *
 * @param dryRun whether the change is only previewed: the outcome reports the effects, and nothing is stored or
 *     published
 * @param expectedRevision the head revision that the author saw; null to accept any head
 * @param removals limits how many documents the change may remove
 * @param asDeckhand whether a {@code bucket.put} has the meaning of a PUT in Deckhand: an omitted layering policy
 *     stays, and a validation policy in it always makes a revision
 */
public record Terms(boolean dryRun, Long expectedRevision, RemovalLimit removals, boolean asDeckhand) {

    /** Applies the change with any head and any number of removals. */
    public static final Terms NONE = new Terms(false, null, RemovalLimit.NONE, false);

    /** Returns the same terms for a dry run. */
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
