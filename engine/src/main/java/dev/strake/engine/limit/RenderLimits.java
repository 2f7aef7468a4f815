package dev.strake.engine.limit;

import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Value;

/**
 * How large a rendered document may become, and how much work it may cost. Small documents can make a huge one by
 * substituting each other, so sizes are checked while a document is put together, on sizes that trees know without
 * being walked. And a small document can ask for a huge amount of work that leaves nothing behind, so that is counted.
 *
 * @param bytes length of the data as JSON
 * @param depth containers within containers
 * @param padding how far beyond the end of a list an index in a path may reach; the list is padded up to it
 * @param effort units of work, see {@link Budget}, for each of the three parts of rendering a document: reading its
 *     sources, putting its data together, and checking the data against its schema
 * @param changeEffort units of work for all documents that one change renders
 */
public record RenderLimits(long bytes, int depth, int padding, long effort, long changeEffort) {

    /** 8 MiB, a depth that every JSON parser reads, the padding of the wire contract, and seconds of work. */
    public static final RenderLimits DEFAULT = new RenderLimits(8L << 20, 256, 1024);

    /** For what has passed the limits before. */
    public static final RenderLimits NONE =
            new RenderLimits(Long.MAX_VALUE, Integer.MAX_VALUE, 1 << 30, Long.MAX_VALUE, Long.MAX_VALUE);

    public RenderLimits {
        if (bytes < 1 || depth < 1 || padding < 0 || effort < 1 || changeEffort < 1) {
            throw new IllegalArgumentException("a limit has to be at least 1 (padding: 0)");
        }
    }

    /** Limits of what comes out, with the contract's limits of the work. */
    public RenderLimits(long bytes, int depth, int padding) {
        this(bytes, depth, padding, 100_000_000, 500_000_000);
    }

    /** Whether a document is within both limits or within none of them, whatever it is. */
    public boolean boundDocumentsLike(RenderLimits other) {
        return bytes == other.bytes && depth == other.depth && padding == other.padding && effort == other.effort;
    }

    /** The same limits of documents, and none of changes. */
    public RenderLimits forAnyChange() {
        return new RenderLimits(bytes, depth, padding, effort, Long.MAX_VALUE);
    }

    /** What one part of the rendering of one document may spend. */
    public Budget budget() {
        return new Budget(this);
    }

    /**
     * Checks data that is on its way into a document.
     *
     * @throws EvaluationException if it is too large or too deep
     */
    public void check(Value data) throws EvaluationException {
        if (data.weight() > bytes) {
            throw exceeded("the rendered document is larger than " + bytes + " bytes");
        }
        if (data.depth() > depth) {
            throw exceeded("the rendered document is nested deeper than " + depth + " containers");
        }
    }

    private static EvaluationException exceeded(String message) {
        return new EvaluationException(
                ProblemCode.LIMIT_EXCEEDED, null, message, "look for a substitution that repeats its source", null);
    }
}
