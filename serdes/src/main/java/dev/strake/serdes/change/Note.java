package dev.strake.serdes.change;

/**
 * Who made a change, and why. Kept with the revision. Null if the author did not say.
 *
 * @param author any text, often a name or an address
 */
public record Note(String author, String message) {

    public static final Note NONE = new Note(null, null);
}
