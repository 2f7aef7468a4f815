package dev.strake.engine.pattern;

/**
 * Rewrites a regular expression from Python's notation to RE2's notation: the character classes mean Unicode,
 * {@code \Z} is the end of the text, {@code {,n}} is from zero to n times. Where both notations agree, the text stays
 * as it is.
 */
final class PythonSyntax {

    private static final String WORD = "\\p{L}\\p{N}_";
    private static final String SPACE = "\\t-\\r\\x1c-\\x20\\x{85}\\p{Z}";

    private final String python;
    private final StringBuilder out = new StringBuilder();
    private final ProgramSize size = new ProgramSize();
    private int at;
    private boolean inClass;
    private boolean sawEndAnchor;

    PythonSyntax(String python) {
        this.python = python;
    }

    String translate() {
        while (at < python.length()) {
            char c = python.charAt(at++);
            if (c == '\\') {
                escape();
            } else if (inClass) {
                insideClass(c);
            } else if (c == '[') {
                openClass();
            } else if (c == '{') {
                repetition();
            } else if (c == '(') {
                openGroup();
            } else {
                sawEndAnchor |= c == '$';
                count(c);
                out.append(c);
            }
        }
        size.end();
        return out.toString();
    }

    private void count(char c) {
        switch (c) {
            case ')' -> size.close();
            case '|' -> size.alternative();
            case '*', '+', '?' -> size.repeat(1);
            default -> size.add();
        }
    }

    /** Whether the pattern uses {@code $}, which in Python also matches before a final newline. */
    boolean sawEndAnchor() {
        return sawEndAnchor;
    }

    private void openGroup() {
        boolean captures = !python.startsWith("?:", at);
        size.open(captures ? 2 : 0);
        out.append(captures ? "(" : "(?:");
        at += captures ? 0 : 2;
    }

    private void openClass() {
        inClass = true;
        size.add();
        out.append('[');
        if (at < python.length() && python.charAt(at) == '^') {
            out.append(python.charAt(at++));
        }
        if (at < python.length() && python.charAt(at) == ']') { // at the start of a class it is literal
            out.append("\\]");
            at++;
        }
    }

    private void insideClass(char c) {
        if (c == '[') {
            out.append("\\["); // RE2 would read [: as the start of a named class
        } else {
            inClass = c != ']';
            out.append(c);
        }
    }

    private void escape() {
        if (at == python.length()) {
            throw new IllegalArgumentException("the pattern ends with a single backslash");
        }
        char c = python.charAt(at++);
        if (!inClass) {
            size.add();
        }
        switch (c) {
            case 'd' -> out.append("\\p{Nd}");
            case 'D' -> out.append("\\P{Nd}");
            case 'w' -> out.append(inClass ? WORD : "[" + WORD + "]");
            case 's' -> out.append(inClass ? SPACE : "[" + SPACE + "]");
            case 'W' -> negated(WORD, c);
            case 'S' -> negated(SPACE, c);
            case 'b' -> out.append(inClass ? "\\x08" : "\\b");
            case 'Z' -> out.append("\\z");
            case 'u' -> codePoint(4);
            case 'U' -> codePoint(8);
            case 'Q', 'E', 'C' -> throw new IllegalArgumentException("\\" + c + " is not supported");
            default -> out.append('\\').append(c);
        }
    }

    private void negated(String set, char escape) {
        if (inClass) {
            throw new IllegalArgumentException("\\" + escape + " inside brackets is not supported");
        }
        out.append("[^").append(set).append(']');
    }

    private void codePoint(int digits) {
        int end = Math.min(python.length(), at + digits);
        out.append("\\x{").append(python, at, end).append('}');
        at = end;
    }

    /* {m}, {m,}, {m,n} and {,n} repeat; any other brace is literal, in Python and in RE2. */
    private void repetition() {
        int close = python.indexOf('}', at);
        String inner = close < 0 ? "" : python.substring(at, close);
        if (!inner.matches("[0-9]{1,9}(,[0-9]{0,9})?|,[0-9]{1,9}")) {
            size.add();
            out.append("\\{");
            return;
        }
        String bounds = inner.startsWith(",") ? "0" + inner : inner;
        long most = 0;
        for (String bound : bounds.split(",", -1)) {
            most = Math.max(most, bound.isEmpty() ? 0 : Long.parseLong(bound));
        }
        size.repeat(most);
        out.append('{').append(bounds).append('}');
        at = close + 1;
    }
}
