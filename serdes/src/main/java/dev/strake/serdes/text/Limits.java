package dev.strake.serdes.text;

/**
 * Limits on the size of changes and documents. Each limit is checked while a text is being read, not afterwards, so
 * reading takes time and memory proportional to the number of bytes.
 *
 * @param change limits of a text, or of all parts of a change together
 * @param document limits of each document
 */
public record Limits(OfChange change, OfDocument document) {

    /** The limits of the contract. A heap of a gigabyte has room for this number of keys and values in a change. */
    public static final Limits DEFAULT = new Limits(
            new OfChange(64L << 20, 6_000_000, 200_000, 1_000), new OfDocument(4L << 20, 64, 1_000, 1_000_000));

    private static final String TOO_LOW = "a limit has to be at least 1, and that of aliases at least 0";

    /**
     * Limits of a text, or of all parts of a change together.
     *
     * @param nodes keys and values of all documents; each takes up to a hundred bytes on the heap beside its text, but
     *     may take only two bytes of the text of the change
     * @param parts number of records that one change may be split into
     */
    public record OfChange(long bytes, int nodes, int documents, int parts) {
        public OfChange {
            if (bytes < 1 || nodes < 1 || documents < 1 || parts < 1) {
                throw new IllegalArgumentException(TOO_LOW);
            }
        }

        /**
         * The size limit of all documents together as compact JSON. It is higher than the limit of the text, because
         * quotes and aliases add bytes. Without it, two kilobytes of aliases could expand to a megabyte.
         */
        long expandedBytes() {
            return bytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * bytes;
        }
    }

    /**
     * Limits of one document.
     *
     * @param bytes measured as compact JSON: comments and indentation are free, and every use of an alias counts with
     *     the size of its value
     * @param depth levels of mappings and lists
     * @param aliases uses of aliases in one YAML document
     * @param nodes keys and values; each use of an alias counts with all nodes of its value
     */
    public record OfDocument(long bytes, int depth, int aliases, int nodes) {
        public OfDocument {
            if (bytes < 1 || depth < 1 || aliases < 0 || nodes < 1) {
                throw new IllegalArgumentException(TOO_LOW);
            }
        }
    }

    /** Returns these limits with another size limit of a document. */
    public Limits withDocumentsOf(long bytes) {
        return new Limits(change, new OfDocument(bytes, document.depth, document.aliases, document.nodes));
    }

    /** Returns these limits for a text in which one document may be as large as a change. */
    public Limits ofOneDocument() {
        return withDocumentsOf(change.bytes);
    }
}
