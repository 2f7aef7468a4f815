package dev.strake.serdes.change;

/**
 * Who made a change, and why. Kept with the revision.
 *
 * @param author any text that the author said of itself, often a name or an address; null for none
 * @param message null for none
 * @param principal who was proven to have published it ({@link PrincipalProof}); null if nobody was
 */
public record Note(String author, String message, String principal) {

    public static final Note NONE = new Note(null, null);

    /** What an author said. */
    public Note(String author, String message) {
        this(author, message, null);
    }

    /** The same with a principal that was proven. */
    public Note by(String proven) {
        return new Note(author, message, proven);
    }
}
