package dev.strake.engine.template.source;

import java.util.Set;

/**
 * The files of a request. Names are taken literally. What is looked up can be recorded by whoever implements this: a
 * validation depends on nothing else.
 */
public interface Sources {

    /** The file of this name; null if there is none. */
    SourceFile get(String name);

    /** The names of all files: each that is a template is checked for its version and its parameters, used or not. */
    Set<String> names();
}
