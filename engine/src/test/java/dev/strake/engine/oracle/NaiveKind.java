package dev.strake.engine.oracle;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.oracle.Trouble.TroubleException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * A kind of owners from another module, each owner evaluated from scratch. The tests of the module register theirs for
 * {@link ServiceLoader}.
 */
public interface NaiveKind {

    /** All kinds on the class path, by the schemas of their owners. */
    Map<String, NaiveKind> ALL = ServiceLoader.load(NaiveKind.class, NaiveKind.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .collect(Collectors.toUnmodifiableMap(NaiveKind::schema, kind -> kind));

    /** The schema of the owners. */
    String schema();

    /** The place of the first mistake in the data of an owner; null if there is none. */
    String mistake(Value data);

    /** The code of such a mistake. */
    ProblemCode codeOfMistake();

    /** Derives the documents of an owner whose data has no mistake. */
    Derived derive(String name, MapValue data, Reader reader) throws TroubleException;

    /** Reads the whole data of a rendered document; null if it does not exist. */
    interface Reader {
        Value read(DocumentKey key) throws TroubleException;
    }

    /** The data of derived documents, and the trouble of an owner that derives documents nevertheless. */
    record Derived(Map<DocumentKey, Value> documents, Trouble trouble) {}
}
