package dev.strake.serdes.text;

import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.RecentShapes;
import dev.strake.engine.tree.Value;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Parses documents from an author's bytes: a stream of YAML documents, one JSON document, or a list of documents in
 * either language. UTF-8 only, with or without a byte order mark. A text of only blanks and comments has no documents.
 *
 * <p>Any bytes result in either documents or one problem.
 */
public final class DocumentReader {

    private static final char REPLACEMENT = '\uFFFD';
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final Limits limits;
    private final Lines lines;
    private final RecentShapes shapes;

    public DocumentReader(Limits limits) {
        this(limits, Lines.NONE, new RecentShapes());
    }

    private DocumentReader(Limits limits, Lines lines, RecentShapes shapes) {
        this.limits = limits;
        this.lines = lines;
        this.shapes = shapes;
    }

    /** Returns a reader that also remembers the line of each path of a document, which takes much more memory. */
    public DocumentReader rememberingLines() {
        return new DocumentReader(limits, Lines.ALL, shapes);
    }

    /**
     * Returns a reader that also remembers the lines of some paths.
     *
     * @param paths by the position of their document in the tally
     */
    public DocumentReader rememberingLines(Map<Integer, Set<String>> paths) {
        return new DocumentReader(limits, Lines.of(paths), shapes);
    }

    public Limits limits() {
        return limits;
    }

    /**
     * Parses the documents of a text. If the root is a list, each item is a document.
     *
     * @param source name of the text, for problems
     */
    public List<ReadDocument> readDocuments(byte[] bytes, TextFormat format, String source)
            throws UnreadableTextException {
        return readDocuments(bytes, format, source, new Tally(limits, shapes));
    }

    /** As the other method, for one of several texts of a change. */
    public List<ReadDocument> readDocuments(byte[] bytes, TextFormat format, String source, Tally tally)
            throws UnreadableTextException {
        return read(bytes, format, source, true, tally);
    }

    /**
     * Parses the sealed data of a document.
     *
     * @param tally has counted the document before
     */
    public Value readSealed(byte[] json, Tally tally) throws UnreadableTextException {
        tally.again();
        List<ReadDocument> read =
                strictly(JsonText.read(checked(json, "sealed data"), "sealed data", false, Lines.NONE, tally));
        return read.isEmpty() ? Null.NULL : read.get(0).value();
    }

    /** Parses trees without splitting lists: one for JSON, one for each YAML document with content. */
    public List<ReadDocument> readTrees(byte[] bytes, TextFormat format, String source) throws UnreadableTextException {
        return read(bytes, format, source, false, new Tally(limits, shapes));
    }

    /** As the other method, for a text in either language and the dialect of its author's tool. */
    public List<ReadDocument> readTrees(byte[] bytes, Dialect dialect, String source) throws UnreadableTextException {
        return detect(checked(bytes, source), source, dialect, false, new Tally(limits, shapes));
    }

    /** Parses a stream of YAML documents, with null for each document without content. */
    public List<ReadDocument> readStream(byte[] yaml, String source) throws UnreadableTextException {
        return YamlText.readStream(checked(yaml, source), source, lines, new Tally(limits, shapes));
    }

    /**
     * Parses the first YAML document, and ignores all others; null if it is empty. JSON is parsed as YAML.
     *
     * @param dialect the dialect of the author's tool
     */
    public ReadDocument readFirst(byte[] bytes, Dialect dialect, String source) throws UnreadableTextException {
        List<ReadDocument> read =
                YamlText.readFirst(checked(bytes, source), source, dialect, lines, new Tally(limits, shapes));
        if (read.isEmpty()) {
            return new ReadDocument(Null.NULL, new Location(source, 1, 1), Map.of(), List.of());
        }
        return read.get(0);
    }

    /**
     * Parses a single document as Heat does: JSON if the text is valid JSON, otherwise YAML; null if it is empty.
     *
     * @throws UnreadableTextException also if there is a second document
     */
    public ReadDocument readTemplate(String text, String source) throws UnreadableTextException {
        if (text.length() > limits.change().bytes()) {
            throw new Position.At(source, 1, 1)
                    .beyond("the text has more than " + limits.change().bytes() + " characters", "split it");
        }
        List<ReadDocument> read = null;
        String start = text.stripLeading();
        if (start.startsWith("{") || start.startsWith("[")) {
            try {
                read = JsonText.read(text, source, false, lines, new Tally(limits));
            } catch (UnreadableTextException e) {
                if (e.problem().code() != ProblemCode.INVALID_YAML) {
                    throw e;
                }
            }
        }
        if (read == null) {
            read = YamlText.read(text, source, Dialect.PYTHON, false, lines, new Tally(limits));
        }
        if (read.size() > 1) {
            throw new Position.At(source, read.get(1).location().line(), 1)
                    .invalid("the file has a second document", "put it into another file");
        }
        return read.isEmpty() ? new ReadDocument(Null.NULL, new Location(source, 1), Map.of(), List.of()) : read.get(0);
    }

    private String checked(byte[] bytes, String source) throws UnreadableTextException {
        if (bytes.length > limits.change().bytes()) {
            throw new Position.At(source, 1, 1)
                    .beyond(
                            "the text has more than " + limits.change().bytes() + " bytes",
                            "split it into several changes");
        }
        return decode(bytes, source);
    }

    private List<ReadDocument> read(byte[] bytes, TextFormat format, String source, boolean apart, Tally tally)
            throws UnreadableTextException {
        String text = checked(bytes, source);
        return switch (format) {
            case YAML -> YamlText.read(text, source, Dialect.PYTHON, apart, lines, tally);
            case JSON -> strictly(JsonText.read(text, source, apart, lines, tally));
            case DETECTED -> detect(text, source, Dialect.PYTHON, apart, tally);
        };
    }

    /*
     * YAML's flow collections look like JSON, but their plain scalars have other meanings. So valid JSON is parsed as
     * JSON. A text that exceeds a limit as JSON would exceed it as YAML, too.
     */
    private List<ReadDocument> detect(String text, String source, Dialect dialect, boolean apart, Tally tally)
            throws UnreadableTextException {
        String start = text.stripLeading();
        if (start.startsWith("{") || start.startsWith("[")) {
            Tally before = tally.copy();
            List<ReadDocument> json = null;
            try {
                json = JsonText.read(text, source, apart, lines, tally);
            } catch (UnreadableTextException e) {
                if (e.problem().code() != ProblemCode.INVALID_YAML) {
                    throw e;
                }
                tally.reset(before);
            }
            if (json != null) {
                return strictly(json);
            }
        }
        return YamlText.read(text, source, dialect, apart, lines, tally);
    }

    private static List<ReadDocument> strictly(List<ReadDocument> json) throws UnreadableTextException {
        for (ReadDocument document : json) {
            for (Problem doubled : document.warnings()) {
                Location place = doubled.location();
                throw new Position.At(place.source(), place.line(), place.column())
                        .invalid("the mapping has this key already", "remove one of the two");
            }
        }
        return json;
    }

    private static String decode(byte[] bytes, String source) throws UnreadableTextException {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0) {
            refuseMalformed(bytes, source); // the replacement for malformed bytes, which the text may also contain
        }
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    private static void refuseMalformed(byte[] bytes, String source) throws UnreadableTextException {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer before = CharBuffer.allocate(bytes.length + 1);
        if (decoder.decode(ByteBuffer.wrap(bytes), before, true).isError()) {
            before.flip();
            throw Position.At.offset(source, before, before.length())
                    .invalid("the text is not valid UTF-8", "save it as UTF-8");
        }
    }
}
