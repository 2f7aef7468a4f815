package dev.strake.serdes.text;

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

    static {
        // PyYAML, go-yaml and JSON know this escape; the scanner does not. It can only be added here.
        ScannerImpl.ESCAPE_REPLACEMENTS.putIfAbsent('/', "/");
    }

    private final String source;
    private final String text;
    private int index;
    private int line;
    private int column;

    YamlSource(String text, String source) throws UnreadableTextException {
        super("");
        this.source = source;
        this.text = text;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c) && !isPrintable(c)) { // decoded from UTF-8: surrogates come in pairs
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

    @Override
    public void forward() {
        forward(1);
    }

    @Override
    public void forward(int length) {
        for (int i = 0; i < length && index < text.length(); i++) {
            char c = text.charAt(index++);
            if (isBreak(c) || (c == '\r' && peek() != '\n')) {
                line++;
                column = 0;
            } else if (c != '\uFEFF') {
                column++;
            }
        }
    }

    private static boolean isBreak(char c) {
        return c == '\n' || c == '\u0085' || c == '\u2028' || c == '\u2029';
    }

    @Override
    public int peek() {
        return peek(0);
    }

    @Override
    public int peek(int ahead) {
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

    @Override
    public int getDocumentIndex() {
        return 0; // SnakeYAML only compares it with a limit; we have our own limits
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
