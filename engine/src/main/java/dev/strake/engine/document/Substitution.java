package dev.strake.engine.document;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.WrittenPath;
import java.util.List;

/** One substitution: a value taken from a rendered source document and written into another document. */
public record Substitution(Source source, List<Destination> destinations) {

    /**
     * Where a value is taken from.
     *
     * @param pattern regular expression that picks a part of a text; the empty text for the whole value
     */
    public record Source(DocumentKey document, WrittenPath path, String pattern, int matchGroup) {

        Source(DocumentKey document, String path, String pattern, int matchGroup) {
            this(document, new WrittenPath(path, Path::of), pattern, matchGroup);
        }
    }

    /**
     * Where a value is written to.
     *
     * @param pattern regular expression whose matches are replaced; the empty text if the value replaces the whole place
     * @param recurseDepth how deep below the path texts are searched for the pattern: -1 for any depth, null for no such search
     */
    public record Destination(WrittenPath path, String pattern, Integer recurseDepth) {

        Destination(String path, String pattern, Integer recurseDepth) {
            this(new WrittenPath(path, Path::ofDestination), pattern, recurseDepth);
        }
    }
}
