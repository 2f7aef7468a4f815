package dev.strake.engine.property;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Documents of another kind of derivation for the random stories: its owners, and the documents that they read. The
 * tests of the module with the kind register theirs for {@link ServiceLoader}. The stories contain stacks, for example,
 * if those tests are on the class path.
 */
public interface StoryKind {

    /** All kinds on the class path. */
    List<StoryKind> ALL = ServiceLoader.load(StoryKind.class, StoryKind.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    /** The schema of the owners. */
    String owners();

    /** The schema of the derived documents. */
    String derived();

    /** Whether documents of a schema are owners, or inputs of owners only. */
    boolean makes(String schema);

    /** The key of a new document. */
    DocumentKey next(Dice dice);

    /** Data for a document of one of its schemas; sometimes invalid data. */
    Value data(Dice dice, String schema);
}
