package dev.strake.engine.document;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathSyntaxException;
import java.util.List;

/** One substitution: a value taken from a rendered source document and written into another document. */
public record Substitution(Source source, List<Destination> destinations) {

    /** Where a value is taken from. */
    public static final class Source {

        private final DocumentKey document;
        private final String pathText;
        private final String pattern;
        private final int matchGroup;
        private Path path;

        Source(DocumentKey document, String pathText, String pattern, int matchGroup) {
            this.document = document;
            this.pathText = pathText;
            this.pattern = pattern;
            this.matchGroup = matchGroup;
        }

        public DocumentKey document() {
            return document;
        }

        public String pathText() {
            return pathText;
        }

        /** The path, compiled at first use. */
        public Path path() throws PathSyntaxException {
            if (path == null) {
                path = Path.of(pathText);
            }
            return path;
        }

        /** Regular expression that picks a part of a text; the empty text for the whole value. */
        public String pattern() {
            return pattern;
        }

        public int matchGroup() {
            return matchGroup;
        }
    }

    /** Where a value is written to. */
    public static final class Destination {

        private final String pathText;
        private final String pattern;
        private final Integer recurseDepth;
        private Path path;

        Destination(String pathText, String pattern, Integer recurseDepth) {
            this.pathText = pathText;
            this.pattern = pattern;
            this.recurseDepth = recurseDepth;
        }

        public String pathText() {
            return pathText;
        }

        /** The path, compiled at first use. */
        public Path path() throws PathSyntaxException {
            if (path == null) {
                path = Path.ofDestination(pathText);
            }
            return path;
        }

        /** Regular expression whose matches are replaced; the empty text if the value replaces the whole place. */
        public String pattern() {
            return pattern;
        }

        /** How deep below the path texts are searched for the pattern: -1 for any depth, null for no such search. */
        public Integer recurseDepth() {
            return recurseDepth;
        }
    }
}
