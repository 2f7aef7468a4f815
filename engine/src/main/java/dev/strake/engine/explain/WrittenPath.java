package dev.strake.engine.explain;

import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.tree.Place;

/** A path as it stands in a document. One that cannot be read leads nowhere, and its document has a problem for it. */
@FunctionalInterface
interface WrittenPath {

    Path path() throws PathSyntaxException;

    /** The only place that a path can lead to; null if there may be several. */
    static Place onlyPlace(WrittenPath written) {
        try {
            return written.path().onlyPlace();
        } catch (PathSyntaxException e) {
            return null;
        }
    }

    static boolean isDollar(WrittenPath written) {
        try {
            return written.path().isDollar();
        } catch (PathSyntaxException e) {
            return false;
        }
    }
}
