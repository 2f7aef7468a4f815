package dev.strake.engine.path;

/** Cuts the text of a {@link Query} into tokens. Blanks between them mean nothing. */
final class PathLexer {

    static final String END = "end";
    static final String NAME = "name";
    static final String NUMBER = "number";
    static final String WHERE = "where";
    static final String WHERE_NOT = "wherenot";
    static final String THIS = "`this`";
    static final String PARENT = "`parent`";

    private static final int MOST_DIGITS = 9;

    private final String original;
    private final String text;
    private final int added;
    private int at;
    private int begin;
    private String token;
    private String name;
    private int number;

    /**
     * @param original the path as its author wrote it, for messages
     * @param text the path to parse: the original, perhaps with a prefix
     */
    PathLexer(String original, String text) throws PathSyntaxException {
        this.original = original;
        this.text = text;
        this.added = text.length() - original.length();
        read();
    }

    /** The kind of the token, or the token itself. */
    String peek() {
        return token;
    }

    /** Takes the token. */
    String next() throws PathSyntaxException {
        String taken = token;
        read();
        return taken;
    }

    /** Takes a name. */
    String name() throws PathSyntaxException {
        String taken = name;
        read();
        return taken;
    }

    /** Takes a number. */
    int number() throws PathSyntaxException {
        int taken = number;
        read();
        return taken;
    }

    /** The start of the token in the path as written. */
    int position() {
        return Math.max(0, begin - added);
    }

    private void read() throws PathSyntaxException {
        while (at < text.length() && " \t\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        begin = at;
        if (at == text.length()) {
            token = END;
            return;
        }
        char c = text.charAt(at);
        if (c == '\'' || c == '"') {
            name = quoted(c);
            token = NAME;
        } else if (c == '`') {
            token = "`" + quoted(c) + "`";
            if (!token.equals(THIS) && !token.equals(PARENT)) {
                throw error("`this` or `parent` is expected");
            }
        } else if (isDigit(at) || (c == '-' && isDigit(at + 1))) {
            digits();
        } else if (PathParser.isNameStart(text.codePointAt(at))) {
            bareName();
        } else if (c == '.' && text.startsWith("..", at)) {
            token = "..";
            at += 2;
        } else if (".[]()$,:|*".indexOf(c) >= 0) {
            token = String.valueOf(c);
            at++;
        } else {
            throw error("a name with other characters than letters, digits, _, - and @ has to be quoted");
        }
    }

    private boolean isDigit(int position) {
        return position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9';
    }

    private void digits() throws PathSyntaxException {
        at++;
        while (isDigit(at)) {
            at++;
        }
        if (at - begin > MOST_DIGITS) {
            throw error("the number is too large");
        }
        number = Integer.parseInt(text.substring(begin, at));
        token = NUMBER;
    }

    private void bareName() {
        while (at < text.length()
                && (isDigit(at) || text.charAt(at) == '-' || PathParser.isNameStart(text.codePointAt(at)))) {
            at += Character.charCount(text.codePointAt(at));
        }
        name = text.substring(begin, at);
        token = name.equals(WHERE) || name.equals(WHERE_NOT) ? name : NAME;
    }

    private String quoted(char quote) throws PathSyntaxException {
        StringBuilder quoted = new StringBuilder();
        for (at++; at < text.length() && text.charAt(at) != quote; at++) {
            if (text.charAt(at) == '\\') {
                at++;
            }
            if (at < text.length()) {
                quoted.append(text.charAt(at));
            }
        }
        if (at >= text.length()) {
            throw error("the quote is not closed");
        }
        at++;
        return quoted.toString();
    }

    private PathSyntaxException error(String why) {
        return new PathSyntaxException(original, position(), why);
    }
}
