package dev.strake.engine.derivation;

import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.Set;

/** Checks the data of an owner: a mapping with keys that its kind knows. */
public final class OwnerData {

    private OwnerData() {}

    /**
     * Returns the data as a mapping.
     *
     * @param keys the allowed keys
     * @param needed the required keys, in words
     * @param code the code of the problem if the data is not such a mapping
     */
    public static MapValue of(Value data, Set<String> keys, String needed, ProblemCode code)
            throws EvaluationException {
        if (!(data instanceof MapValue map)) {
            throw new EvaluationException(
                    code,
                    ".data",
                    "has to be a mapping with " + needed + ", but is " + data.kindWithArticle(),
                    null,
                    null);
        }
        for (String key : map.keys()) {
            if (!keys.contains(key)) {
                throw new EvaluationException(
                        code,
                        ".data." + key,
                        "is an unknown key",
                        "known keys: "
                                + String.join(", ", keys.stream().sorted().toList()),
                        null);
            }
        }
        return map;
    }
}
