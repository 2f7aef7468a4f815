package dev.strake.engine.path;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Place;

/** A path as it stands in a document, compiled at first use. One that cannot be read is a problem of its document. */
public final class WrittenPath {

    private static final int LONGEST_SHOWN = 300;

    private final String text;
    private final Notation notation;
    private Path compiled;

    /** How paths are written at one kind of place. */
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

    /** The same for messages, cut if it is long: messages that are too long lose their end, and the reason is there. */
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

    /** The only place that it can lead to; null if there may be several, or if it cannot be read. */
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
