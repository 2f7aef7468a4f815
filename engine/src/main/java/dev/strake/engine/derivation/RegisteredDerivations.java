package dev.strake.engine.derivation;

import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/** Collections, the kinds that modules register, and a stand-in for each known kind whose module is missing. */
final class RegisteredDerivations {

    private static final Map<String, Derivation> BY_SCHEMA = load();

    private RegisteredDerivations() {}

    private static Map<String, Derivation> load() {
        Map<String, Derivation> result = new HashMap<>();
        Kind.OWNERS_OF_MODULES.forEach((schema, module) -> result.put(schema, new Missing(schema, module)));
        result.put(Collection.SCHEMA, Collection.KIND);
        for (Derivation each : ServiceLoader.load(Derivation.class, Derivation.class.getClassLoader())) {
            result.put(each.schema(), each);
        }
        return Map.copyOf(result);
    }

    static Derivation of(String schema) {
        Derivation found = BY_SCHEMA.get(schema);
        if (found == null) {
            throw new IllegalArgumentException("no documents are derived from documents of schema " + schema);
        }
        return found;
    }

    /** A kind whose module is missing. Its documents stay owners, so that they are not published by mistake. */
    private record Missing(String schema, String module) implements Derivation {

        @Override
        public void check(Value data) throws EvaluationException {
            throw new EvaluationException(
                    ProblemCode.DERIVATION_FAILED,
                    ".schema",
                    "needs the module " + module + ", which is not on the class path of this process",
                    "add the jar strake-" + module + " to the class path, or delete the document",
                    null);
        }

        @Override
        public Map<DocumentKey, Value> derive(DocumentId owner, Value data, Reader reader, Consumer<Problem> problems)
                throws EvaluationException {
            check(data);
            return Map.of();
        }
    }
}
