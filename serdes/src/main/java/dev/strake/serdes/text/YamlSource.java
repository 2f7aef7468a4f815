package dev.strake.serdes.text;

import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Provides the characters of a text to SnakeYAML's scanner. SnakeYAML's own reader copies its window each time a scalar
 * turns out to be longer than the window, so a line of many megabytes takes quadratic time. This reader works on the
 * text in place.
 *
 * <p>This reader counts UTF-16 units, SnakeYAML's own counts code points. The scanner only distinguishes ASCII
 * characters, line breaks and others, so both halves of a surrogate pair pass through it and stay adjacent.
 */
final class YamlSource extends StreamReader implements Position {

    private static final int[] NO_SNIPPET = {}; // SnakeYAML's messages would quote the text and its secrets

    private final String source;
    private final String text;
    private final Dialect dialect;
    private int index;
    private int line;
    private int column;
    private int escapedSlash = -1;
    private int blankUntil; // up to here, tabs are spaces
    private int flows;
    private int blockEntry = -1;

    YamlSource(String text, String source, Dialect dialect) throws UnreadableTextException {
        super("");
        this.source = source;
        this.text = text;
        this.dialect = dialect;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isAscii = c >= ' ' && c <= '~'; // nearly always
            // The text was decoded from UTF-8, so surrogates are always in pairs.
            if (!isAscii && !Character.isSurrogate(c) && !isPrintable(c)) {
                throw At.offset(source, text, i)
                        .invalid(
                                String.format("the character U+%04X is not allowed in YAML", (int) c),
                                "write it as an escape in double quotes");
            }
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
        return new Mark("text", index, line, column, NO_SNIPPET, 0);
    }

    /*
     * PyYAML, go-yaml and JSON support the escape \/, SnakeYAML does not. The scanner consumes the backslash separately
     * and peeks at the next character. There it gets a line break, which an escape swallows, and then the slash.
     */
    @Override
    public void forward() {
        if (index == escapedSlash) {
            escapedSlash = -1;
            return;
        }
        boolean isBackslash = at(index) == '\\';
        forward(1);
        if (isBackslash && at(index) == '/') {
            escapedSlash = index;
        }
    }

    @Override
    public int peek() {
        return index == escapedSlash ? '\n' : peek(0);
    }

    @Override
    public int peek(int ahead) {
        char c = at(index + ahead);
        return c == '\t' && index + ahead < blankUntil ? ' ' : c;
    }

    private char at(int place) {
        return place < text.length() ? text.charAt(place) : '\0';
    }

    @Override
    public void forward(int length) {
        for (int i = 0; i < length && index < text.length(); i++) {
            char c = text.charAt(index++);
            if (endsLine(c) && (c != '\r' || at(index) != '\n')) {
                line++;
                column = 0;
            } else if (c != '\uFEFF') {
                column++;
            }
        }
    }

    private static boolean endsLine(char c) {
        return c == '\n' || c == '\r' || c == '\u0085' || c == '\u2028' || c == '\u2029';
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

    @Override
    public int getIndex() {
        return index;
    }

    @Override
    public int getLine() {
        return line;
    }

    /** The scanner compares this index with its limit, before each token. It is 0: this program has its own limits. */
    @Override
    public int getDocumentIndex() {
        if (dialect == Dialect.GO) {
            findTabs();
        }
        return 0;
    }

    /*
     * The scanner rejects tabs between tokens. go-yaml treats them as spaces, except where block style could take them
     * for indentation: at the beginning of a line, and after the dash or question mark of an entry.
     */
    private void findTabs() {
        boolean indents = flows == 0 && (column == 0 || index == blockEntry);
        int at = index;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                at = endOfLine(at);
                continue;
            }
            if (endsLine(c)) {
                indents = flows == 0;
            } else if (c != ' ' && (c != '\t' || indents)) {
                break;
            }
            at++;
        }
        blankUntil = at;
        switch (at(at)) {
            case '[', '{' -> flows++;
            case ']', '}' -> flows = Math.max(0, flows - 1);
            case '-', '?' -> blockEntry = at + 1;
            case '|', '>' -> blankUntil = endOfHeader(at + 1);
            default -> {
                // After other tokens, the meaning of a tab stays the same.
            }
        }
    }

    private int endOfLine(int from) {
        int at = from;
        while (at < text.length() && !endsLine(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /* Finds the end of a block scalar's header: digits and signs, then blanks. */
    private int endOfHeader(int from) {
        int at = from;
        while (flows == 0 && at < text.length() && "+-0123456789 \t".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }
}
