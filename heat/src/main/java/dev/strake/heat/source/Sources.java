package dev.strake.heat.source;

import java.util.Set;

/** The files of a request. Names are taken literally. A validation depends on nothing else but the request itself. */
public interface Sources {

    /** The file of this name; null if there is none. */
    SourceFile get(String name);

    /** The names of all files: each that is a template is checked for its version and its parameters, used or not. */
    Set<String> names();
}
