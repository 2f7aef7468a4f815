package dev.strake.engine.path;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the notation of Deckhand's paths:
 *
 * <pre>
 *   path   = "." | "$" | ["$"] { step }
 *   step   = "." names | ".." name | [ "." ] "[" ( index | "*" | quoted ) "]" | ".*"
 *   names  = name { "," name }
 *   name   = bare | digits | quoted
 *   bare   = ( letter | "_" | "@" ) { letter | digit | "_" | "-" | "@" }      quoted = 'text' | "text"
 * </pre>
 *
 * Inside quotes a backslash makes the next character literal. A bare name may have ideographs, as in Deckhand.
 */
final class PathParser {

    /** The default depth limit of published documents. A set of steps has to fit into a long, see {@link Rewriting}. */
    private static final int MAX_STEPS = 64;

    private final String original;
    private final String text;
    private final List<PathStep> steps = new ArrayList<>();
    private int at;

    PathParser(String original, String text) {
        this.original = original;
        this.text = text;
    }

    List<PathStep> parse() throws PathSyntaxException {
        if (text.equals(".") || text.equals("$")) {
            return List.of();
        }
        boolean first = true;
        if (peek() == '$') {
            at++;
            first = false;
        }
        while (at < text.length()) {
            step(first);
            first = false;
            if (steps.size() > MAX_STEPS) {
                throw error("it has more than " + MAX_STEPS + " steps");
            }
        }
        if (steps.isEmpty()) {
            throw error("it is empty");
        }
        return List.copyOf(steps);
    }

    private void step(boolean first) throws PathSyntaxException {
        if (peek() == '[') {
            bracket();
        } else if (peek() == '.' && peekAfter() == '.') {
            at += 2;
            steps.add(new PathStep.Anywhere(peek() == '[' ? bracketed() : named()));
        } else if (peek() == '.') {
            at++;
            if (peek() == '[') {
                bracket();
            } else {
                steps.add(named());
            }
        } else if (first) {
            steps.add(named());
        } else {
            throw error("a dot or a bracket is expected");
        }
    }

    private void bracket() throws PathSyntaxException {
        steps.add(bracketed());
    }

    private PathStep named() throws PathSyntaxException {
        if (peek() == '*') {
            at++;
            return new PathStep.EveryField();
        }
        String first = name();
        if (peek() != ',') {
            return new PathStep.Field(first);
        }
        Set<String> names = new LinkedHashSet<>(List.of(first));
        while (peek() == ',') {
            at++;
            names.add(name());
        }
        return names.size() == 1 ? new PathStep.Field(first) : new PathStep.Fields(Collections.unmodifiableSet(names));
    }

    private PathStep bracketed() throws PathSyntaxException {
        at++;
        PathStep step;
        if (peek() == '*') {
            at++;
            step = new PathStep.EveryItem();
        } else if (peek() == '\'' || peek() == '"') {
            step = named();
        } else {
            step = new PathStep.Index(index());
        }
        if (peek() != ']') {
            throw error("a closing bracket is expected");
        }
        at++;
        return step;
    }

    private int index() throws PathSyntaxException {
        int start = at;
        if (peek() == '-') {
            at++;
        }
        while (isDigit(peek())) {
            at++;
        }
        String digits = text.substring(start, at);
        if (digits.isEmpty() || digits.equals("-")) {
            throw error("an index, a quoted name or * is expected");
        }
        if (digits.length() > 9) {
            throw error("the index is too large");
        }
        return Integer.parseInt(digits);
    }

    private String name() throws PathSyntaxException {
        int c = peek();
        if (c == '\'' || c == '"') {
            return quoted((char) c);
        }
        int start = at;
        if (isDigit(c)) {
            while (isDigit(peek())) {
                at++;
            }
            if (isNameStart(peekPoint())) {
                throw error("a name that starts with a digit has to be quoted");
            }
        } else if (isNameStart(peekPoint())) {
            while (isNameStart(peekPoint()) || isDigit(peek()) || peek() == '-') {
                at += Character.charCount(peekPoint());
            }
        } else {
            throw error("a name is expected (names with other characters than letters, digits, _, - and @ have to be"
                    + " quoted)");
        }
        String name = text.substring(start, at);
        if (name.equals("where") || name.equals("wherenot")) {
            at = start;
            throw error("'" + name + "' is a reserved word and has to be quoted");
        }
        return name;
    }

    private String quoted(char quote) throws PathSyntaxException {
        int start = at++;
        StringBuilder name = new StringBuilder();
        while (peek() != quote) {
            if (peek() == '\\') {
                at++;
            }
            if (at >= text.length()) {
                at = start;
                throw error("the quote is not closed");
            }
            name.append(text.charAt(at++));
        }
        at++;
        return name.toString();
    }

    private int peek() {
        return at < text.length() ? text.charAt(at) : -1;
    }

    private int peekAfter() {
        return at + 1 < text.length() ? text.charAt(at + 1) : -1;
    }

    private int peekPoint() {
        return at < text.length() ? text.codePointAt(at) : -1;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isNameStart(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '_'
                || c == '@'
                || (c >= 0x80 && isBareSymbol(c));
    }

    /* Only called for code points above ASCII, so never for the -1 at the end of the text. */
    private static boolean isBareSymbol(int c) {
        return Character.isIdeographic(c) || Character.getType(c) == Character.OTHER_SYMBOL;
    }

    private PathSyntaxException error(String why) {
        return new PathSyntaxException(original, Math.min(at, original.length()), why);
    }
}
