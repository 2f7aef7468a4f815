package dev.strake.heat.source;

import dev.strake.engine.problem.Location;
import dev.strake.engine.tree.Value;

/** A file of a tree: a template, an environment, or any file that {@code get_file} names. */
public interface SourceFile {

    /** Returns the name that the file is looked up by. */
    String name();

    /** Returns the unparsed content. */
    String text();

    /**
     * Returns the parsed content. Repeated calls are cheap.
     *
     * @throws UnreadableSourceException if the content is neither YAML nor JSON, or exceeds a limit
     */
    Value tree();

    /**
     * Returns the line of a place, or of its nearest ancestor.
     *
     * @param place the place in the notation of problems ({@code .resources.R.properties}); null for the whole file
     */
    Location locate(String place);
}
