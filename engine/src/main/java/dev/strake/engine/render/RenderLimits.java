package dev.strake.engine.render;

import dev.strake.engine.document.EvaluationException;
import dev.strake.engine.document.ProblemCode;
import dev.strake.engine.tree.Value;

/**
 * How large a rendered document may become. Small documents can make a huge one by substituting each other, so this
 * is checked while a document is put together, on sizes that trees know without being walked.
 *
 * @param bytes length of the data as JSON
 * @param depth containers within containers
 */
public record RenderLimits(long bytes, int depth) {

    /** 8 MiB and a depth that every JSON parser reads. */
    public static final RenderLimits DEFAULT = new RenderLimits(8L << 20, 256);

    void check(Value data) throws EvaluationException {
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
