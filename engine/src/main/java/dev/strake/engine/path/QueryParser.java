package dev.strake.engine.path;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the notation of {@link Query}s. The operators from the weakest to the strongest, as in the library:
 *
 * <pre>
 *   query   = query "[" inside "]" | query ".." query | query "." query | query "|" query
 *           | query "where" query | query "wherenot" query
 *           | "$" | "*" | number | names | "`this`" | "`parent`" | "(" query ")" | "[" inside "]"
 *   inside  = "*" | number { "," number } | [ number ] ":" [ number ] [ ":" [ number ] ] | names
 *   names   = name { "," name }
 * </pre>
 */
final class QueryParser {

    private static final int MOST_PARTS = 64;

    private final String original;
    private final PathLexer lexer;
    private int parts;

    private QueryParser(String original, String text) throws PathSyntaxException {
        this.original = original;
        this.lexer = new PathLexer(original, text);
    }

    /** Parses a path. A path without a leading dollar starts at the root, too. */
    static Query parse(String text) throws PathSyntaxException {
        QueryParser parser = new QueryParser(text, text.startsWith(".") ? "$" + text : text);
        Query query = parser.query(0);
        if (!parser.lexer.peek().equals(PathLexer.END)) {
            throw parser.error("the end of the path is expected");
        }
        return query;
    }

    private Query query(int weakest) throws PathSyntaxException {
        if (++parts > MOST_PARTS) {
            throw error("it has more than " + MOST_PARTS + " parts");
        }
        Query left = lexer.peek().equals("[") ? bracket() : single();
        for (int strength = strength(); strength > 0 && strength >= weakest; strength = strength()) {
            if (lexer.peek().equals("[")) {
                left = new Query.Child(left, bracket());
                continue;
            }
            String operator = lexer.next();
            Query right = query(strength + 1);
            left = switch (operator) {
                case ".." -> new Query.Descendants(left, right);
                case "." -> new Query.Child(left, right);
                case "|" -> new Query.Union(left, right);
                default -> new Query.Where(left, right, operator.equals(PathLexer.WHERE));
            };
        }
        return left;
    }

    /* A bracket applies to the whole query before it, so it is the weakest operator. */
    private int strength() {
        return switch (lexer.peek()) {
            case "[" -> 1;
            case ".." -> 2;
            case "." -> 3;
            case "|" -> 4;
            case PathLexer.WHERE -> 5;
            case PathLexer.WHERE_NOT -> 6;
            default -> 0;
        };
    }

    private Query single() throws PathSyntaxException {
        String token = lexer.peek();
        if (token.equals(PathLexer.NAME)) {
            return new Query.Fields(names());
        }
        if (token.equals(PathLexer.NUMBER)) {
            return new Query.Fields(List.of(String.valueOf(lexer.number())));
        }
        lexer.next();
        return switch (token) {
            case "$" -> new Query.Root();
            case "*" -> new Query.Fields(List.of("*"));
            case PathLexer.THIS -> new Query.This();
            case PathLexer.PARENT -> new Query.Parent();
            case "(" -> parenthesis();
            default -> throw error("a name, an index in brackets, *, $ or a parenthesis is expected");
        };
    }

    private Query parenthesis() throws PathSyntaxException {
        Query inside = query(0);
        expect(")");
        return inside;
    }

    private Query bracket() throws PathSyntaxException {
        if (++parts > MOST_PARTS) {
            throw error("it has more than " + MOST_PARTS + " parts");
        }
        lexer.next();
        Query inside;
        if (lexer.peek().equals(PathLexer.NAME)) {
            inside = new Query.Fields(names());
        } else if (lexer.peek().equals("*")) {
            lexer.next();
            inside = new Query.Slice(null, null, null);
        } else {
            inside = indexes();
        }
        expect("]");
        return inside;
    }

    private Query indexes() throws PathSyntaxException {
        Integer first = number();
        if (lexer.peek().equals(":")) {
            lexer.next();
            Integer end = number();
            if (!lexer.peek().equals(":")) {
                return new Query.Slice(first, end, null);
            }
            lexer.next();
            return new Query.Slice(first, end, number());
        }
        if (first == null) {
            throw error("an index, a slice, a name or * is expected");
        }
        List<Integer> all = new ArrayList<>(List.of(first));
        while (lexer.peek().equals(",")) {
            lexer.next();
            Integer next = number();
            if (next == null) {
                throw error("an index is expected");
            }
            all.add(next);
        }
        return new Query.Indexes(List.copyOf(all));
    }

    private Integer number() throws PathSyntaxException {
        return lexer.peek().equals(PathLexer.NUMBER) ? (Integer) lexer.number() : null;
    }

    private List<String> names() throws PathSyntaxException {
        List<String> names = new ArrayList<>(List.of(lexer.name()));
        while (lexer.peek().equals(",")) {
            lexer.next();
            if (!lexer.peek().equals(PathLexer.NAME)) {
                throw error("a name is expected");
            }
            names.add(lexer.name());
        }
        return List.copyOf(names);
    }

    private void expect(String token) throws PathSyntaxException {
        if (!lexer.peek().equals(token)) {
            throw error("'" + token + "' is expected");
        }
        lexer.next();
    }

    private PathSyntaxException error(String why) {
        return new PathSyntaxException(original, lexer.position(), why);
    }
}
