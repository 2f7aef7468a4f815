package dev.strake.engine.derivation;

import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.Set;

/** The data of an owner: a mapping with keys that its kind knows. */
public final class OwnerData {

    private OwnerData() {}

    /**
     * The data as a mapping.
     *
     * @param keys that may be there
     * @param needed the keys that have to be there, in words
     * @param code of the problem if it is anything else
     */
    public static MapValue of(Value data, Set<String> keys, String needed, ProblemCode code)
            throws EvaluationException {
        if (!(data instanceof MapValue map)) {
            throw new EvaluationException(
                    code, ".data", "has to be a mapping with " + needed + ", is " + data.kind(), null, null);
        }
        for (String key : map.keys()) {
            if (!keys.contains(key)) {
                throw new EvaluationException(
                        code,
                        ".data." + key,
                        "is not a known key here",
                        "known are " + String.join(", ", keys.stream().sorted().toList()),
                        null);
            }
        }
        return map;
    }
}
