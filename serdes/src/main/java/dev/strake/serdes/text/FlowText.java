package dev.strake.serdes.text;

/**
 * A flow collection of YAML, {@code [...]} or {@code {...}}, written as simply as nearly all are: of plain scalars of one
 * word and of quoted ones without escapes. A first pass looks whether it is that simple, a second one tells what is in it.
 * Both together take some nanoseconds for each character, while SnakeYAML takes some 200 for each comma, and a document of a
 * mebibyte has up to half a million of them.
 *
 * <pre>
 *  collection   [ entry, entry ]    { key entry, key entry }    [ ]    { }
 *  entry        plain   "text"   'text'   collection
 *  key          plain: and a blank   "text":   'text':
 *  plain        letters, digits and / _ ~ - . + = @     first: a letter, a digit, / _ ~ or a minus before a digit
 *  text         no control characters, no line breaks, no half of a pair, neither the quote nor a backslash
 *  between      spaces and line feeds
 * </pre>
 *
 * Letters and digits are those of any language. Whatever else YAML allows (comments, tabs, anchors, tags, escapes, scalars of
 * several words, keys without a value) makes the collection one for SnakeYAML, as block style is.
 */
final class FlowText implements Position {

    /** Told what is in a collection, in the order of the text. The collection itself is left out. */
    interface Reader {

        default void begin(boolean isMap) throws UnreadableTextException {}

        default void key(String text, boolean isPlain) throws UnreadableTextException {}

        default void scalar(String text, boolean isPlain) throws UnreadableTextException {}

        default void end() throws UnreadableTextException {}
    }

    private static final Reader NOBODY = new Reader() {};

    /** Each bit of a long says whether a collection around a place is a mapping. Documents may be nested as deeply. */
    private static final int DEEPEST = Long.SIZE - 1;

    /** SnakeYAML looks no further for the colon behind a key. */
    private static final int LONGEST_KEY = 1_000;

    private static final boolean[] OF_PLAIN = new boolean[0x7F];

    static {
        for (char c = 0; c < OF_PLAIN.length; c++) {
            OF_PLAIN[c] = startsPlain(c) || "-.+=@".indexOf(c) >= 0;
        }
    }

    private final String source;
    private final String text;
    private final int begin;
    private boolean isSimple;
    private int firstLine;
    private int firstColumn;
    private int at;
    private int place;
    private int lines;
    private int lineBegin;
    private int depth;
    private long maps;

    /**
     * Looks at a collection.
     *
     * @param begin where its bracket or brace is
     */
    FlowText(String source, String text, int begin) {
        this.source = source;
        this.text = text;
        this.begin = begin;
        try {
            isSimple = pass(NOBODY);
        } catch (UnreadableTextException e) {
            throw new IllegalStateException(e); // nobody refuses anything
        }
    }

    int begin() {
        return begin;
    }

    boolean isSimple() {
        return isSimple;
    }

    /** Where its last bracket or brace is; if it is not simple, the first character that is not. */
    int end() {
        return at;
    }

    /** Line feeds in it. */
    int lines() {
        return lines;
    }

    /** Where the line of its end begins; where the collection does, if that is in the same line. */
    int lineBegin() {
        return lineBegin;
    }

    /**
     * Tells what is in a simple collection.
     *
     * @param line of its begin, from 0
     * @param column of its begin, from 0
     */
    void read(Reader reader, int line, int column) throws UnreadableTextException {
        firstLine = line;
        firstColumn = column;
        pass(reader);
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public int line() {
        return firstLine + lines + 1;
    }

    @Override
    public int column() {
        return place - lineBegin + (lines == 0 ? firstColumn : 0) + 1;
    }

    /* Both passes. Returns false where the text is not simple; then it is at the first character that is not. */
    private boolean pass(Reader reader) throws UnreadableTextException {
        at = begin;
        lines = 0;
        lineBegin = begin;
        open();
        boolean mayEnd = true; // not behind a comma
        while (true) {
            char c = next();
            if (!mayEnd || c != last()) {
                if (isInMap()) {
                    if (!key(c, reader)) {
                        return false;
                    }
                    c = next();
                }
                if (c == '[' || c == '{') {
                    if (depth == DEEPEST) {
                        return false;
                    }
                    reader.begin(c == '{');
                    open();
                    mayEnd = true;
                    continue;
                }
                if (!scalar(c, reader)) {
                    return false;
                }
                c = next();
            }
            while (c == last()) {
                if (--depth == 0) {
                    return true;
                }
                reader.end();
                at++;
                c = next();
            }
            if (c != ',') {
                return false;
            }
            at++;
            mayEnd = false;
        }
    }

    private void open() {
        depth++;
        maps = text.charAt(at) == '{' ? maps | 1L << depth : maps & ~(1L << depth);
        at++;
    }

    private boolean isInMap() {
        return (maps >> depth & 1) != 0;
    }

    private char last() {
        return isInMap() ? '}' : ']';
    }

    /* The next character that is no blank. */
    private char next() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n') {
                lines++;
                lineBegin = at + 1;
            } else if (c != ' ') {
                place = at;
                return c;
            }
            at++;
        }
        return '\0';
    }

    private boolean key(char first, Reader reader) throws UnreadableTextException {
        boolean isPlain = isPlain(first);
        if (!pass(first) || at - place > LONGEST_KEY || peek(0) != ':') {
            return false;
        }
        if (isPlain && peek(1) != ' ' && peek(1) != '\n') {
            return false;
        }
        if (reader != NOBODY) {
            reader.key(passed(isPlain), isPlain);
        }
        at++;
        return true;
    }

    private boolean scalar(char first, Reader reader) throws UnreadableTextException {
        if (!pass(first)) {
            return false;
        }
        if (reader != NOBODY) {
            reader.scalar(passed(isPlain(first)), isPlain(first));
        }
        return true;
    }

    private static boolean isPlain(char first) {
        return first != '"' && first != '\'';
    }

    /* Passes a scalar. Returns false if it is not simple. */
    private boolean pass(char first) {
        return isPlain(first) ? passPlain(first) : passQuoted(first);
    }

    private boolean passPlain(char first) {
        if (!startsPlain(first) && !(first == '-' && isDigit(peek(1)))) {
            return false;
        }
        do {
            at++;
        } while (isOfPlain(peek(0)));
        return true;
    }

    private boolean passQuoted(char quote) {
        at++;
        for (char c = peek(0); c != quote; c = peek(0)) {
            if (c < ' ' || c == '\\' || (c >= OF_PLAIN.length && !isOfText(c))) {
                return false;
            }
            at++;
        }
        at++;
        return peek(0) != quote; // two of them stand for one
    }

    /* The scalar that was passed, without its quotes. */
    private String passed(boolean isPlain) {
        return isPlain ? text.substring(place, at) : text.substring(place + 1, at - 1);
    }

    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : '\0';
    }

    private static boolean isOfPlain(char c) {
        return c < OF_PLAIN.length ? OF_PLAIN[c] : Character.isLetterOrDigit(c);
    }

    private static boolean startsPlain(char c) {
        return isDigit(c)
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '/'
                || c == '_'
                || c == '~'
                || (c >= OF_PLAIN.length && Character.isLetterOrDigit(c));
    }

    /* Of those beyond ASCII. The others end lines, or mean something to SnakeYAML's reader. */
    private static boolean isOfText(char c) {
        return c > '\u009F' && c != '\u2028' && c != '\u2029' && c != '\uFEFF' && !Character.isSurrogate(c);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
