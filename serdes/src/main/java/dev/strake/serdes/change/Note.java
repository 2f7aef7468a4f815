package dev.strake.serdes.change;

/**
 * Who made a change, and why. Stored with the revision.
 *
 * @param author any text with which the author describes itself, often a name or an address; null if absent
 * @param message why the author made the change; null if absent
 * @param principal the authenticated publisher ({@link PrincipalProof}); null if there is no valid proof
 */
public record Note(String author, String message, String principal) {

    public static final Note NONE = new Note(null, null);

    /** Creates a note without a principal. */
    public Note(String author, String message) {
        this(author, message, null);
    }

    /** Returns this note with an authenticated principal. */
    public Note by(String proven) {
        return new Note(author, message, proven);
    }
}
