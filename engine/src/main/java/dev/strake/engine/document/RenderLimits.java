package dev.strake.engine.document;

import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Value;

/**
 * How large a rendered document may become. Small documents can make a huge one by substituting each other, so this
 * is checked while a document is put together, on sizes that trees know without being walked.
 *
 * @param bytes length of the data as JSON
 * @param depth containers within containers
 * @param padding how far beyond the end of a list an index in a path may reach; the list is padded up to it
 */
public record RenderLimits(long bytes, int depth, int padding) {

    /** 8 MiB, a depth that every JSON parser reads, and the padding of the wire contract. */
    public static final RenderLimits DEFAULT = new RenderLimits(8L << 20, 256, 1024);

    public RenderLimits {
        if (bytes < 1 || depth < 1 || padding < 0) {
            throw new IllegalArgumentException("a limit has to be at least 1 (padding: 0)");
        }
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
