package dev.strake.serdes.text;

/**
 * Limits on the size of changes and documents. Each limit is checked while a text is being read, not afterwards, so
 * reading any bytes takes time and memory in proportion to their number.
 *
 * @param changeBytes bytes of a text, or of all parts of a change together
 * @param documentBytes bytes of one document, measured as compact JSON: comments and indentation are free, and every
 *     use of an alias costs as much as its value
 * @param depth levels of mappings and lists in a document
 * @param aliases uses of aliases in one YAML document
 * @param nodes keys and values of one document; each use of an alias counts with all nodes of its value
 * @param changeNodes keys and values of all documents of a text, or of all parts of a change together; on the heap, a key or
 *     value takes up to a hundred bytes beside its text, where the text may have two
 * @param documents number of documents of one text, or of all parts of a change together
 * @param parts number of records that one change may be split into
 */
public record Limits(
        long changeBytes,
        long documentBytes,
        int depth,
        int aliases,
        int nodes,
        int changeNodes,
        int documents,
        int parts) {

    /** The limits of the contract, and of keys and values in a change so many as a heap of a gigabyte has room for. */
    public static final Limits DEFAULT =
            new Limits(64L << 20, 4L << 20, 64, 1_000, 1_000_000, 6_000_000, 200_000, 1_000);

    public Limits {
        if (changeBytes < 1
                || documentBytes < 1
                || depth < 1
                || aliases < 0
                || nodes < 1
                || changeNodes < 1
                || documents < 1
                || parts < 1) {
            throw new IllegalArgumentException("a limit has to be at least 1 (aliases: 0)");
        }
    }

    /** The same where one document may be as large as a change. */
    public Limits ofOneDocument() {
        return new Limits(changeBytes, changeBytes, depth, aliases, nodes, changeNodes, documents, parts);
    }

    /**
     * Bytes that all documents of a change may have together as compact JSON. This is more than the text may have,
     * because quotes and aliases add bytes. It is bounded, because two kilobytes of aliases can expand to a megabyte.
     */
    public long expandedBytes() {
        return changeBytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * changeBytes;
    }
}
