package dev.strake.engine.oracle;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.oracle.Trouble.TroubleException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Value;

/**
 * Limits for the data of one rendered document, after each step and at the end.
 *
 * @param bytes length as JSON
 * @param depth nesting of containers
 * @param padding how far beyond the end of a list an index may reach
 */
public record Limits(long bytes, int depth, int padding) {

    /** The limits of the wire contract. */
    public static final Limits DEFAULT = new Limits(8L << 20, 256, 1024);

    /** Checks the result of a step of the document itself. */
    void check(Value data) throws TroubleException {
        check(data, null);
    }

    /** Checks the result of a step that another document, the related one, requested. */
    void check(Value data, String place, DocumentId... related) throws TroubleException {
        if (JsonBytes.of(data).length > bytes || Places.depth(data) > depth) {
            throw Trouble.of(ProblemCode.LIMIT_EXCEEDED, place, related).exception();
        }
    }
}
