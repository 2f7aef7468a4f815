package dev.strake.heat.yaql;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.heat.python.Python;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parses expressions. Operators with the lowest precedence are tried first. */
final class Parser {

    private static final int DEEPEST = 100;

    /** From lowest to highest precedence; operators in a row have the same. */
    private static final List<Set<String>> BINARY = List.of(
            Set.of("->"),
            Set.of("or"),
            Set.of("and"),
            Set.of(), // not
            Set.of(">", "<", ">=", "<=", "!=", "=", "in"),
            Set.of("+", "-"),
            Set.of("*", "/", "mod"),
            Set.of("=~", "!~"));

    private static final int NOT = 3;
    private static final Set<String> CONSTANTS = Set.of("true", "false", "null");
    private static final Set<String> WORDS = Set.of("or", "and", "in", "mod", "not");

    private final String text;
    private int at;
    private int depth;

    Parser(String text) {
        this.text = text;
    }

    YaqlNode parse() {
        YaqlNode node = binary(0);
        blanks();
        if (at < text.length()) {
            throw unexpected();
        }
        return node;
    }

    private YaqlNode binary(int level) {
        if (++depth > DEEPEST * BINARY.size()) {
            throw new YaqlException("the expression is nested too deeply");
        }
        YaqlNode node;
        if (level == BINARY.size()) {
            node = unary();
        } else if (level == NOT) {
            node = word("not") ? new YaqlNode.Unary("not", binary(NOT)) : binary(level + 1);
        } else {
            node = binary(level + 1);
            for (String operator = operator(level); operator != null; operator = operator(level)) {
                // let(...) -> body: the rest of the expression is the body
                node = new YaqlNode.Binary(operator, node, binary(operator.equals("->") ? level : level + 1));
            }
        }
        depth--;
        return node;
    }

    private String operator(int level) {
        blanks();
        String longest = null;
        for (String operator : BINARY.get(level)) {
            boolean isWord = WORDS.contains(operator);
            if (isWord ? isWord(operator) : text.startsWith(operator, at) && !continues(operator)) {
                longest = longest == null || operator.length() > longest.length() ? operator : longest;
            }
        }
        if (longest != null) {
            at += longest.length();
        }
        return longest;
    }

    /* Whether the supposed operator is the beginning of a longer one. */
    private boolean continues(String operator) {
        String two = text.substring(at, Math.min(text.length(), at + 2));
        return operator.length() == 1
                && Set.of("->", "=>", "=~", "!~", ">=", "<=", "!=").contains(two);
    }

    private YaqlNode unary() {
        blanks();
        if (peek() == '-' || peek() == '+') {
            String sign = String.valueOf(text.charAt(at++));
            return new YaqlNode.Unary(sign, unary());
        }
        return postfix(primary());
    }

    private YaqlNode postfix(YaqlNode start) {
        YaqlNode node = start;
        while (true) {
            blanks();
            boolean safe = text.startsWith("?.", at);
            if (safe || peek() == '.') {
                at += safe ? 2 : 1;
                blanks();
                String name = identifier();
                blanks();
                node = peek() == '(' ? call(node, name, safe) : new YaqlNode.Member(node, name, safe);
            } else if (peek() == '[') {
                at++;
                List<YaqlNode> arguments = new ArrayList<>();
                arguments(']', new ArrayList<>(), arguments);
                node = new YaqlNode.Index(node, arguments);
            } else {
                return node;
            }
        }
    }

    private YaqlNode call(YaqlNode receiver, String name, boolean safe) {
        at++;
        List<String> names = new ArrayList<>();
        List<YaqlNode> arguments = new ArrayList<>();
        arguments(')', names, arguments);
        return new YaqlNode.Call(receiver, name, names, arguments, safe);
    }

    private void arguments(char end, List<String> names, List<YaqlNode> arguments) {
        blanks();
        if (peek() == end) {
            at++;
            return;
        }
        while (true) {
            blanks();
            int start = at;
            String name = isNameStart(peek()) ? identifier() : null;
            blanks();
            if (name != null && !CONSTANTS.contains(name) && text.startsWith("=>", at)) {
                at += 2;
            } else {
                name = null;
                at = start;
            }
            names.add(name);
            YaqlNode argument = binary(0);
            blanks();
            if (text.startsWith("=>", at)) { // a pair, as in switch
                at += 2;
                argument = new YaqlNode.Binary("=>", argument, binary(0));
                blanks();
            }
            arguments.add(argument);
            if (peek() == end) {
                at++;
                return;
            }
            expect(',');
        }
    }

    private YaqlNode primary() {
        blanks();
        char c = peek();
        if (c == '(') {
            at++;
            YaqlNode node = binary(0);
            blanks();
            expect(')');
            return node;
        }
        if (c == '[') {
            at++;
            List<YaqlNode> items = new ArrayList<>();
            arguments(']', new ArrayList<>(), items);
            return new YaqlNode.ListOf(items);
        }
        if (c == '{') {
            at++;
            return map();
        }
        if (c == '$') {
            at++;
            int start = at;
            while (isNamePart(peek())) {
                at++;
            }
            return new YaqlNode.Variable(text.substring(start, at));
        }
        if (c == '"' || c == '\'' || c == '`') {
            return new YaqlNode.Literal(new Text(quoted(c)));
        }
        if (c >= '0' && c <= '9') {
            int start = at;
            while ((peek() >= '0' && peek() <= '9')
                    || (peek() == '.' && at + 1 < text.length() && Character.isDigit(text.charAt(at + 1)))) {
                at++;
            }
            return new YaqlNode.Literal(number(text.substring(start, at)));
        }
        if (isNameStart(c)) {
            String name = identifier();
            int after = at;
            blanks();
            if (peek() == '(') {
                return call(null, name, false);
            }
            at = after;
            return switch (name) {
                case "true" -> new YaqlNode.Literal(Bool.TRUE);
                case "false" -> new YaqlNode.Literal(Bool.FALSE);
                case "null" -> new YaqlNode.Literal(Null.NULL);
                default -> new YaqlNode.Literal(new Text(name)); // a keyword evaluates to its own name
            };
        }
        throw unexpected();
    }

    private static Num number(String digits) {
        try {
            return Python.number(digits);
        } catch (IllegalArgumentException e) {
            throw new YaqlException(e.getMessage());
        }
    }

    private YaqlNode map() {
        List<YaqlNode> keys = new ArrayList<>();
        List<YaqlNode> values = new ArrayList<>();
        blanks();
        while (peek() != '}') {
            keys.add(binary(0));
            blanks();
            if (!text.startsWith("=>", at)) {
                throw unexpected();
            }
            at += 2;
            values.add(binary(0));
            blanks();
            if (peek() != '}') {
                expect(',');
                blanks();
            }
        }
        at++;
        return new YaqlNode.MapOf(keys, values);
    }

    private String quoted(char mark) {
        StringBuilder out = new StringBuilder();
        at++;
        while (at < text.length() && text.charAt(at) != mark) {
            char c = text.charAt(at++);
            if (c == '\\' && at < text.length() && mark != '`') {
                char escaped = text.charAt(at++);
                switch (escaped) {
                    case 'n' -> out.append('\n');
                    case 't' -> out.append('\t');
                    case 'r' -> out.append('\r');
                    case '\\', '\'', '"' -> out.append(escaped);
                    default -> out.append('\\').append(escaped);
                }
            } else {
                out.append(c);
            }
        }
        if (at == text.length()) {
            throw new YaqlException("a string in the expression is not closed");
        }
        at++;
        return out.toString();
    }

    private String identifier() {
        int start = at;
        if (!isNameStart(peek())) {
            throw unexpected();
        }
        while (isNamePart(peek())) {
            at++;
        }
        return text.substring(start, at);
    }

    private boolean word(String word) {
        blanks();
        if (isWord(word)) {
            at += word.length();
            return true;
        }
        return false;
    }

    private boolean isWord(String word) {
        int end = at + word.length();
        return text.startsWith(word, at) && (end == text.length() || !isNamePart(text.charAt(end)));
    }

    private void expect(char c) {
        if (peek() != c) {
            throw unexpected();
        }
        at++;
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isNameStart(char c) {
        return c == '_' || Character.isLetter(c);
    }

    private static boolean isNamePart(char c) {
        return isNameStart(c) || (c >= '0' && c <= '9');
    }

    private YaqlException unexpected() {
        return new YaqlException(
                at < text.length()
                        ? "unexpected character at position " + at + " of the expression"
                        : "the expression is incomplete");
    }
}
