package dev.strake.engine.limit;

import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Value;

/**
 * How large a rendered document may become, and how much work it may cost. Small documents can make a huge document by
 * substituting each other. So the size is checked while a document is assembled; trees know their size without
 * traversal. A small document can also cause much work that has a small result, so the work is counted.
 *
 * @param bytes the length of the data as JSON
 * @param depth the number of nested containers
 * @param padding how far beyond the end of a list an index in a path may reach; the list is padded up to the index
 * @param effort units of work, see {@link Budget}, for each of the three parts of rendering a document: reading its
 *     sources, putting its data together, and checking the data against its schema
 * @param changeEffort units of work for all documents that one change renders
 */
public record RenderLimits(long bytes, int depth, int padding, long effort, long changeEffort) {

    /** 8 MiB, a depth that every JSON parser can read, the padding of the wire contract, and seconds of work. */
    public static final RenderLimits DEFAULT = new RenderLimits(8L << 20, 256, 1024);

    /**
     * The maximum size of a rendered document as JSON, metadata included: 15.75 MiB, even if the limits of data and
     * metadata allow more. It is not configurable, because the transport allows no larger records.
     */
    public static final int RECORD_BYTES = (16 << 20) - (256 << 10);

    /** No limits, for data that has passed the limits before. */
    public static final RenderLimits NONE =
            new RenderLimits(Long.MAX_VALUE, Integer.MAX_VALUE, 1 << 30, Long.MAX_VALUE, Long.MAX_VALUE);

    public RenderLimits {
        if (bytes < 1 || depth < 1 || padding < 0 || effort < 1 || changeEffort < 1) {
            throw new IllegalArgumentException("a limit has to be at least 1, and the padding at least 0");
        }
    }

    /** Limits for the size of the result, with the contract's default limits for the work. */
    public RenderLimits(long bytes, int depth, int padding) {
        this(bytes, depth, padding, 100_000_000, 500_000_000);
    }

    /** Whether these limits are the same as others for each document; the limits for a whole change may differ. */
    public boolean boundDocumentsLike(RenderLimits other) {
        return bytes == other.bytes && depth == other.depth && padding == other.padding && effort == other.effort;
    }

    /** The same limits for each document, and no limit for a whole change. */
    public RenderLimits forAnyChange() {
        return new RenderLimits(bytes, depth, padding, effort, Long.MAX_VALUE);
    }

    /** A new budget for one part of rendering one document. */
    public Budget budget() {
        return new Budget(this);
    }

    /**
     * Checks data that is to become part of a document.
     *
     * @throws EvaluationException if the data is too large or too deep
     */
    public void check(Value data) throws EvaluationException {
        if (data.weight() > bytes) {
            throw exceeded("the rendered document is larger than " + bytes + " bytes");
        }
        if (data.depth() > depth) {
            throw exceeded("the rendered document is nested more than " + depth + " levels deep");
        }
    }

    private static EvaluationException exceeded(String message) {
        return new EvaluationException(
                ProblemCode.LIMIT_EXCEEDED, null, message, "look for a substitution that repeats its source", null);
    }
}
