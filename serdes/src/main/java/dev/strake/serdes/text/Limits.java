package dev.strake.serdes.text;

/**
 * How much an author may ask for. Each limit holds while a text is being read, not afterwards, so that reading
 * takes time and memory in proportion to the bytes that came, whatever they are.
 *
 * @param changeBytes bytes of a text, or of all parts of a change together
 * @param documentBytes bytes of one document, measured as compact JSON: comments and indentation cost nothing, every
 *     use of an alias costs what it stands for
 * @param depth mappings and lists inside one another, in a document
 * @param aliases uses of aliases in one YAML document
 * @param nodes keys and values of one document, each use of an alias counted with all that it stands for
 * @param documents documents of one text, or of all parts of a change together
 * @param parts records that one change may be cut into
 */
public record Limits(
        long changeBytes, long documentBytes, int depth, int aliases, int nodes, int documents, int parts) {

    /** The limits of the contract. */
    public static final Limits DEFAULT = new Limits(64L << 20, 1L << 20, 64, 1_000, 1_000_000, 200_000, 1_000);

    /** For texts that were read within limits before, and now come from a store or a topic of this program. */
    static final Limits NONE = new Limits(
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE);

    public Limits {
        if (changeBytes < 1
                || documentBytes < 1
                || depth < 1
                || aliases < 0
                || nodes < 1
                || documents < 1
                || parts < 1) {
            throw new IllegalArgumentException("a limit has to be at least 1 (aliases: 0)");
        }
    }

    /**
     * Bytes that all documents of a change may have together as compact JSON. More than the text itself, because
     * quotes and aliases add to it; bounded, because two kilobytes of aliases can stand for a megabyte.
     */
    public long expandedBytes() {
        return changeBytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * changeBytes;
    }
}
