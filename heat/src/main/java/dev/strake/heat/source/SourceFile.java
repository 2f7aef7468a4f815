package dev.strake.heat.source;

import dev.strake.engine.problem.Location;
import dev.strake.engine.tree.Value;

/** A file of a tree: a template, an environment, or anything that {@code get_file} names. */
public interface SourceFile {

    /** The name under which it is looked up. */
    String name();

    /** Its content as it is. */
    String text();

    /**
     * Its content as a tree. Asking twice is cheap.
     *
     * @throws UnreadableSourceException if it is neither YAML nor JSON, or beyond a limit
     */
    Value tree();

    /**
     * The line of a place, or of the nearest place above it.
     *
     * @param place in the notation of problems ({@code .resources.R.properties}); null for the file as a whole
     */
    Location locate(String place);
}
