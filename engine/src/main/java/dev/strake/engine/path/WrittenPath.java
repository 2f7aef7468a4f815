package dev.strake.engine.path;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Place;

/** A path in a document, compiled at first use. A path that does not compile is a problem of its document. */
public final class WrittenPath {

    private static final int LONGEST_SHOWN = 300;

    private final String text;
    private final Notation notation;
    private Path compiled;

    /** The notation of paths in one part of a document. */
    @FunctionalInterface
    public interface Notation {

        Path read(String text) throws PathSyntaxException;
    }

    public WrittenPath(String text, Notation notation) {
        this.text = text;
        this.notation = notation;
    }

    /** The path as its author wrote it. */
    public String text() {
        return text;
    }

    /** The text for messages, cut to a limit. Long messages lose their end, where the reason is. */
    @Override
    public String toString() {
        return Problem.cut(text, LONGEST_SHOWN);
    }

    public Path compiled() throws PathSyntaxException {
        if (compiled == null) {
            compiled = notation.read(text);
        }
        return compiled;
    }

    /** The single place that the path matches; null if it may match several, or does not compile. */
    public Place onlyPlace() {
        try {
            return compiled().onlyPlace();
        } catch (PathSyntaxException e) {
            return null;
        }
    }

    /** Whether the author wrote the root as {@code $}. Deckhand's layering does not treat this quite like a dot. */
    public boolean isDollar() {
        return text.equals("$");
    }
}
