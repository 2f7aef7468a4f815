package dev.strake.heat.source;

import dev.strake.engine.problem.Location;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.UnreadableTextException;

/**
 * A file of a tree: a template, an environment, or any file that {@code get_file} names. The first call of {@link #tree}
 * parses it; the first call of {@link #locate} parses it again, with lines.
 */
public final class SourceFile {

    /** A template has at most 512 Ki characters, but environments may have more; aliases may expand both. */
    public static final Limits LIMITS = Limits.DEFAULT.withDocumentsOf(8L << 20);

    private static final DocumentReader READER = new DocumentReader(LIMITS);

    private final String name;
    private final String text;
    private final boolean hasLines;
    private Value tree;
    private ReadDocument lines;
    private UnreadableSourceException unreadable;

    /** Creates a file from its text. */
    public SourceFile(String name, String text) {
        this(name, text, null, true);
    }

    /**
     * Creates a file from its parsed tree.
     *
     * @param text the result of {@code get_file}
     * @param hasLines whether the text is the author's, so that its lines are meaningful
     */
    public SourceFile(String name, String text, Value tree, boolean hasLines) {
        this.name = name;
        this.text = text;
        this.tree = tree;
        this.hasLines = hasLines;
    }

    /** Returns the name that the file is looked up by. */
    public String name() {
        return name;
    }

    /** Returns the unparsed content. */
    public String text() {
        return text;
    }

    /**
     * Returns the parsed content.
     *
     * @throws UnreadableSourceException if the content is neither YAML nor JSON, or exceeds a limit
     */
    public synchronized Value tree() {
        if (unreadable != null) {
            throw unreadable;
        }
        if (tree == null) {
            try {
                tree = READER.readTemplate(text, name).value();
            } catch (UnreadableTextException e) {
                unreadable = new UnreadableSourceException(e.problem().message());
                throw unreadable;
            }
        }
        return tree;
    }

    /**
     * Returns the line of a place, or of its nearest ancestor.
     *
     * @param place the place in the notation of problems ({@code .resources.R.properties}); null for the whole file
     */
    public synchronized Location locate(String place) {
        if (!hasLines) {
            return new Location(name, 1);
        }
        if (lines == null) {
            try {
                lines = READER.rememberingLines().readTemplate(text, name);
            } catch (UnreadableTextException e) {
                return e.problem().location();
            }
        }
        return place == null ? lines.location() : lines.locate(place);
    }
}
