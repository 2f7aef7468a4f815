package dev.strake.serdes.text;

import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.parser.ParserImpl;

/**
 * Reads a stream of YAML documents. SnakeYAML parses the text into events, and this class builds the values.
 * SnakeYAML's own composer recurses, expands merge keys in its own order and does not limit the expansion of aliases.
 *
 * <p>An alias refers to a finished, immutable value, so the value is shared instead of copied. An empty text (two
 * separators in a row, only comments) is no document; {@code null} or {@code ~} is one.
 */
final class YamlText implements Position {

    private static final String STANDARD = "tag:yaml.org,2002:";

    private final String source;
    private final Limits limits;
    private final Dialect dialect;
    private final TreeBuilder tree;
    private final Map<String, Anchor> anchors = new HashMap<>();
    private final Deque<Anchor> open = new ArrayDeque<>();
    private final boolean keepsEmpty;
    private Event event;
    private int aliases;
    private int started;

    /** A node with an anchor. The value is null until the node ends, so a node cannot contain itself. */
    private static final class Anchor {
        private static final Anchor NONE = new Anchor(null);

        private final String written; // the text of a scalar, because an alias of it can be a key
        private Value value;
        private long nodes = 1;

        Anchor(String written) {
            this.written = written;
        }
    }

    private YamlText(String source, Dialect dialect, boolean apart, boolean keepsEmpty, Lines lines, Tally tally) {
        this.keepsEmpty = keepsEmpty;
        this.source = source;
        this.limits = tally.limits();
        this.dialect = dialect;
        this.tree = new TreeBuilder(dialect, this, apart, lines, tally);
    }

    static List<ReadDocument> read(String text, String source, Dialect dialect, boolean apart, Lines lines, Tally tally)
            throws UnreadableTextException {
        return new YamlText(source, dialect, apart, false, lines, tally).read(text, false);
    }

    /** Reads all documents, with null for each empty one. */
    static List<ReadDocument> readStream(String text, String source, Lines lines, Tally tally)
            throws UnreadableTextException {
        return new YamlText(source, Dialect.PYTHON, false, true, lines, tally).read(text, false);
    }

    /** Reads only the first document; an empty one is left out. The text after it is not read. */
    static List<ReadDocument> readFirst(String text, String source, Dialect dialect, Lines lines, Tally tally)
            throws UnreadableTextException {
        return new YamlText(source, dialect, false, false, lines, tally).read(text, true);
    }

    private List<ReadDocument> read(String text, boolean onlyFirst) throws UnreadableTextException {
        YamlSource characters = new YamlSource(text, source, dialect);
        try {
            ParserImpl parser = new ParserImpl(characters, new LoaderOptions());
            while ((event = parser.getEvent()) != null) {
                handle();
                if (onlyFirst && event.is(Event.ID.DocumentEnd)) {
                    break;
                }
            }
            if (started == 0 && text.lines().anyMatch(line -> line.startsWith("%"))) {
                // The parser treats directives without a document as an empty text, which would empty a bucket.
                throw characters.invalid("directives are not followed by a document", "add a line --- after them");
            }
        } catch (MarkedYAMLException e) {
            throw YamlMistake.of(e, characters);
        } catch (YAMLException | IllegalArgumentException | IndexOutOfBoundsException e) {
            // The scanner throws these for some truncated escapes; their messages would quote the text.
            throw YamlMistake.unknown(characters);
        }
        return tree.documents();
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public int line() {
        return event.getStartMark().getLine() + 1;
    }

    @Override
    public int column() {
        return event.getStartMark().getColumn() + 1;
    }

    private void handle() throws UnreadableTextException {
        switch (event.getEventId()) {
            case DocumentStart -> startDocument((DocumentStartEvent) event);
            case Scalar -> scalar((ScalarEvent) event);
            case Alias -> alias((AliasEvent) event);
            case SequenceStart, MappingStart -> begin((CollectionStartEvent) event);
            case SequenceEnd, MappingEnd -> finish();
            case StreamStart, StreamEnd, DocumentEnd, Comment -> {
                // Nothing to keep.
            }
        }
    }

    private void startDocument(DocumentStartEvent start) throws UnreadableTextException {
        anchors.clear();
        aliases = 0;
        if (++started > limits.change().documents()) { // counts empty documents too, because each takes time
            throw beyond(
                    "there are more than " + limits.change().documents() + " documents", "put them in several changes");
        }
        if (start.getTags() != null && !start.getTags().isEmpty()) {
            throw invalid("tag directives are not allowed, because tags for types are not", "remove the %TAG line");
        }
    }

    private void scalar(ScalarEvent scalar) throws UnreadableTextException {
        String text = scalar.getValue();
        String tag = scalar.getTag();
        boolean plain = scalar.isPlain() && tag == null;
        if (tree.expectsKey()) {
            if (scalar.isPlain() && text.equals("<<") && (tag == null || tag.equals(STANDARD + "merge"))) {
                tree.mergeKey();
                return;
            }
            value(scalar, text, tag, plain); // only to reject keys that would be invalid as values
            remember(scalar.getAnchor(), new Anchor(text), new Text(text));
            tree.key(text);
            return;
        }
        boolean absent =
                !keepsEmpty && plain && text.isEmpty() && scalar.getAnchor() == null && tree.isBetweenDocuments();
        if (absent) {
            return;
        }
        Value value = value(scalar, text, tag, plain);
        remember(scalar.getAnchor(), new Anchor(text), value);
        tree.scalar(value);
    }

    private Value value(ScalarEvent scalar, String text, String tag, boolean plain) throws UnreadableTextException {
        if (plain) {
            return YamlScalars.resolve(text, dialect, this);
        }
        if (tag == null || tag.equals("!")) {
            return new Text(text);
        }
        return switch (tag) {
            case STANDARD + "str" -> new Text(text);
            case STANDARD + "null" -> Null.NULL;
            case STANDARD + "bool" -> YamlScalars.taggedBool(text, this);
            case STANDARD + "int" -> YamlScalars.taggedInt(text, this);
            case STANDARD + "float" -> YamlScalars.taggedFloat(text, this);
            case STANDARD + "map", STANDARD + "seq" ->
                throw invalid(
                        "the value with a tag for mappings or lists is a " + (scalar.isPlain() ? "plain" : "quoted")
                                + " scalar",
                        "remove the tag");
            default -> {
                requireIgnored(tag);
                yield new Text(text);
            }
        };
    }

    private void alias(AliasEvent alias) throws UnreadableTextException {
        if (++aliases > limits.document().aliases()) {
            throw beyond(
                    "the document uses more than " + limits.document().aliases() + " aliases",
                    "write the values instead of some of them");
        }
        Anchor anchor = anchors.get(alias.getAnchor());
        if (anchor == null) {
            throw invalid("the anchor of an alias is not defined above it in the document", null);
        }
        if (anchor.value == null) {
            throw invalid("an alias is inside its own anchor", "write the value instead of the alias");
        }
        if (tree.expectsKey()) {
            if (anchor.written == null) {
                throw complexKey();
            }
            tree.key(anchor.written);
        } else {
            tree.repeat(anchor.value, anchor.nodes);
        }
    }

    private void begin(CollectionStartEvent start) throws UnreadableTextException {
        if (tree.expectsKey()) {
            throw complexKey();
        }
        boolean isMap = start instanceof MappingStartEvent;
        String tag = start.getTag();
        String own = STANDARD + (isMap ? "map" : "seq");
        if (tag != null && !tag.equals("!") && !tag.equals(own)) {
            requireIgnored(tag);
        }
        if (start.getAnchor() == null) {
            open.push(Anchor.NONE);
        } else {
            Anchor anchor = new Anchor(null);
            anchors.put(start.getAnchor(), anchor);
            open.push(anchor);
        }
        if (isMap) {
            tree.beginMap();
        } else {
            tree.beginList();
        }
    }

    private void finish() throws UnreadableTextException {
        Anchor anchor = open.pop();
        if (anchor == Anchor.NONE) {
            tree.end();
        } else {
            anchor.nodes = tree.nodesSinceBegin();
            anchor.value = tree.end();
        }
    }

    private void remember(String name, Anchor anchor, Value value) {
        if (name != null) {
            anchor.value = value;
            anchors.put(name, anchor);
        }
    }

    private UnreadableTextException complexKey() {
        return invalid("a mapping or list cannot be a key", "use text as the key");
    }

    /* go-yaml ignores tags that are not YAML's own. It obeys or rejects the tags of YAML itself. */
    private void requireIgnored(String tag) throws UnreadableTextException {
        if (dialect != Dialect.GO || tag.startsWith(STANDARD)) {
            throw invalid(
                    "tags are not allowed, except !!str, !!int, !!float, !!bool, !!null, !!map and !!seq",
                    "remove the tag, or quote text that starts with an exclamation mark");
        }
    }
}
