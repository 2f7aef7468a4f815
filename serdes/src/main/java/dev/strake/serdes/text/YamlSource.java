package dev.strake.serdes.text;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.scanner.ScannerImpl;

/**
 * Provides the characters of a text to SnakeYAML's scanner. SnakeYAML's own reader copies its window each time a scalar
 * turns out to be longer than the window, so a line of many megabytes takes time quadratic in its length. This reader
 * reads the text in place.
 *
 * <p>It counts UTF-16 units, while the original counts code points. The scanner only distinguishes ASCII characters,
 * line breaks and others, so both halves of a surrogate pair pass through it and end up side by side in the scalar.
 */
final class YamlSource extends StreamReader implements Position {

    private static final int[] NO_SNIPPET = {}; // SnakeYAML's messages would quote the text and its secrets

    private static final int WINDOW = 1 << 12;

    /** To compare many characters with at once, which takes a tenth of the time. */
    private static final char[] SPACES = " ".repeat(WINDOW).toCharArray();

    /** From so many on, the next spaces are compared, as many at a time. */
    private static final int MANY_SPACES = 256;

    static {
        // PyYAML, go-yaml and JSON know this escape; the scanner does not. It can only be added here.
        ScannerImpl.ESCAPE_REPLACEMENTS.putIfAbsent('/', "/");
    }

    private final String source;
    private final String text;
    private final Dialect dialect;
    private final boolean endsLinesByFeeds;
    private final char[] window = new char[WINDOW]; // characters of the text from windowStart on: faster to get
    private int windowStart;
    private int windowLength;
    private final Deque<FlowText> simple = new ArrayDeque<>(); // those that nobody has taken yet
    private FlowText leftOut; // the last of them
    private int notSimpleUntil;
    private int blankUntil;
    private int flows;
    private int blockEntry = -1;
    private int index;
    private int line;
    private int column;
    private Mark mark = new Mark("text", 0, 0, 0, NO_SNIPPET, 0); // where a token ends the next one often begins

    YamlSource(String text, String source, Dialect dialect) throws UnreadableTextException {
        super("");
        this.source = source;
        this.text = text;
        this.dialect = dialect;
        endsLinesByFeeds = requirePrintable();
    }

    /* Looks at each character. Returns whether all lines end by line feeds. */
    private boolean requirePrintable() throws UnreadableTextException {
        boolean result = true;
        for (int from = 0; from < text.length(); from += WINDOW) {
            int length = Math.min(WINDOW, text.length() - from);
            text.getChars(from, from + length, window, 0);
            if (Arrays.equals(window, 0, length, SPACES, 0, length)) {
                continue;
            }
            for (int i = 0; i < length; i++) {
                char c = window[i];
                if ((char) (c - ' ') >= '\u007F' - ' ') { // rarely
                    requirePrintable(c, from + i);
                    result &= c == '\n' || !endsLine(c);
                }
            }
        }
        return result;
    }

    private void requirePrintable(char c, int at) throws UnreadableTextException {
        if (!Character.isSurrogate(c) && !isPrintable(c)) { // decoded from UTF-8: surrogates come in pairs
            throw At.offset(source, text, at)
                    .invalid(
                            String.format("the character U+%04X is not allowed in YAML", (int) c),
                            "write it as an escape in double quotes");
        }
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public int line() {
        return line + 1;
    }

    @Override
    public int column() {
        return column + 1;
    }

    @Override
    public Mark getMark() {
        if (mark.getIndex() != index) {
            mark = new Mark("text", index, line, column, NO_SNIPPET, 0);
        }
        return mark;
    }

    @Override
    public void forward() {
        forward(1);
    }

    @Override
    public void forward(int length) {
        for (int i = 0; i < length && index < text.length(); i++) {
            char c = (char) peek();
            index++;
            if (c >= ' ' && c < '\u0085') { // nearly always
                column++;
            } else if (endsLine(c, (char) peek())) {
                line++;
                column = 0;
            } else if (c != '\uFEFF') {
                column++;
            }
        }
    }

    /* Whether a line ends behind a character, if another follows. */
    private static boolean endsLine(char c, char next) {
        return c == '\n' || c == '\u0085' || c == '\u2028' || c == '\u2029' || (c == '\r' && next != '\n');
    }

    @Override
    public int peek() {
        return peek(0);
    }

    @Override
    public int peek(int ahead) {
        int inWindow = index + ahead - windowStart;
        char c = inWindow < windowLength ? window[inWindow] : beyondWindow(ahead);
        return c == '\t' && index + ahead < blankUntil ? ' ' : c;
    }

    /* The window moves by half of its length or more, however far the scanner looks ahead. So copying takes linear time. */
    private char beyondWindow(int ahead) {
        if (windowLength == 0 || index - windowStart >= WINDOW / 2) {
            windowStart = index;
            windowLength = Math.min(WINDOW, text.length() - index);
            text.getChars(index, index + windowLength, window, 0);
        }
        return index + ahead < text.length() ? text.charAt(index + ahead) : '\0';
    }

    @Override
    public String prefix(int length) {
        return text.substring(index, Math.min(index + length, text.length()));
    }

    @Override
    public String prefixForward(int length) {
        String prefix = prefix(length);
        index += prefix.length();
        column += prefix.length();
        return prefix;
    }

    @Override
    public int getColumn() {
        return column;
    }

    /** The scanner calls this wherever it begins to look for a token, to compare it with a limit; we have our own limits. */
    @Override
    public int getDocumentIndex() {
        passBlanks();
        return 0;
    }

    /*
     * Between tokens there may be megabytes of spaces, comments and empty lines, of which the scanner would look at each
     * character several times. All it has to know of them is whether a line ended, and what stands before the token in
     * its own line. So it goes on from the last line break before the token. Without one it goes on from the token, and
     * without a token from the end of the text.
     *
     * The scanner refuses a tab between tokens. go-yaml takes it for a space, except in block style where it could be
     * meant as indentation: at the begin of a line, and behind the dash or question mark of an entry.
     */
    private void passBlanks() {
        passSimple();
        boolean indents = flows == 0 && (column == 0 || index == blockEntry);
        int begin = index - column; // of the line
        int beginBefore = begin;
        int lineBreak = -1;
        int at = index;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ') {
                at = behindSpaces(at);
            } else if (c == '\t' && dialect == Dialect.GO && !indents) {
                at++;
            } else if (c == '#') {
                at = endOfLine(at);
            } else if (endsLine(c)) {
                at += c == '\r' && text.startsWith("\n", at + 1) ? 1 : 0;
                line += lineBreak < 0 ? 0 : 1;
                lineBreak = at++;
                beginBefore = begin;
                begin = at;
                indents = flows == 0;
            } else {
                break;
            }
        }
        if (lineBreak < 0 || at == text.length()) {
            line += lineBreak < 0 ? 0 : 1;
            column = at - begin;
            index = at;
        } else {
            column = lineBreak - beginBefore;
            index = lineBreak;
        }
        char token = at < text.length() ? text.charAt(at) : '\0';
        if ((token == '[' || token == '{') && at >= notSimpleUntil) {
            look(at);
        }
        if (dialect == Dialect.GO) {
            blankUntil = at;
            passToken(token, at);
        }
    }

    private void look(int begin) {
        FlowText flow = new FlowText(source, text, begin);
        if (flow.isSimple()) {
            simple.add(flow);
            leftOut = flow;
        } else {
            notSimpleUntil = flow.end(); // so that no character is looked at again for each collection around it
        }
    }

    /* The scanner gets the brackets of a simple collection, and nothing between them. */
    private void passSimple() {
        if (leftOut != null && index == leftOut.begin() + 1) {
            column = leftOut.end() - leftOut.lineBegin() + (leftOut.lines() == 0 ? column - 1 : 0);
            line += leftOut.lines();
            index = leftOut.end();
        }
    }

    /**
     * The simple collection that begins at a place, if the scanner passed one there.
     *
     * @return null if the scanner looks at all of it
     */
    FlowText takeSimple(int begin) {
        return !simple.isEmpty() && simple.element().begin() == begin ? simple.remove() : null;
    }

    private int behindSpaces(int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
            if (at - from == MANY_SPACES) {
                return behindManySpaces(at);
            }
        }
        return at;
    }

    private int behindManySpaces(int from) {
        char[] next = new char[MANY_SPACES];
        int at = from;
        int spaces = next.length;
        while (spaces == next.length) {
            spaces = Math.min(next.length, text.length() - at);
            text.getChars(at, at + spaces, next, 0);
            int other = Arrays.mismatch(next, 0, spaces, SPACES, 0, spaces);
            spaces = other < 0 ? spaces : other;
            at += spaces;
        }
        return at;
    }

    private int endOfLine(int from) {
        if (endsLinesByFeeds) {
            int feed = text.indexOf('\n', from); // many times as fast
            return feed < 0 ? text.length() : feed;
        }
        int at = from;
        while (at < text.length() && !endsLine(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /* What the token changes of what a tab means behind it. */
    private void passToken(char token, int at) {
        switch (token) {
            case '[', '{' -> flows++;
            case ']', '}' -> flows = Math.max(0, flows - 1);
            case '-', '?' -> blockEntry = at + 1;
            case '|', '>' -> passHeader(at + 1);
            default -> {
                // No other token changes it.
            }
        }
    }

    /* The line in which a block of lines begins: digits and signs, then blanks. */
    private void passHeader(int from) {
        int at = from;
        while (flows == 0 && at < text.length() && "+-0123456789 \t".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        blankUntil = at;
    }

    private static boolean endsLine(char c) {
        return endsLine(c, '\0');
    }

    @Override
    public int getIndex() {
        return index;
    }

    @Override
    public int getLine() {
        return line;
    }
}
