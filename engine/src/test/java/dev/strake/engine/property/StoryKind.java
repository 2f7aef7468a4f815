package dev.strake.engine.property;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Documents of one more kind of derivation for the random stories: its owners, and what they read. The tests of the module
 * that brings the kind register theirs for {@link ServiceLoader}, and the stories have stacks, say, wherever those tests are
 * on the class path.
 */
public interface StoryKind {

    /** All that are on the class path. */
    List<StoryKind> ALL = ServiceLoader.load(StoryKind.class, StoryKind.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    /** The schema of the owners. */
    String owners();

    /** The schema of the documents that come from them. */
    String derived();

    /** Whether documents of a schema are owners, or read by owners alone. */
    boolean makes(String schema);

    /** The name and the schema of a new document. */
    DocumentKey next(Dice dice);

    /** Data for a document of one of its schemas; now and then something that cannot be. */
    Value data(Dice dice, String schema);
}
