package dev.strake.serdes.text;

import java.util.List;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Reports an error with SnakeYAML's message, as far as the message describes YAML and does not quote the text. */
final class YamlMistake {

    /** Prefixes of SnakeYAML's messages that quote nothing. The rest of a message is dropped. */
    private static final List<String> KNOWN = List.of(
            "could not find expected ':'",
            "sequence entries are not allowed here",
            "mapping keys are not allowed here",
            "mapping values are not allowed here",
            "expected indentation indicator in the range 1-9",
            "expected chomping or indentation indicators",
            "expected a comment or a line break",
            "expected escape sequence",
            "expected alphabetic or numeric character",
            "expected a digit",
            "expected URI escape sequence",
            "expected URI",
            "expected the node content",
            "expected <block end>",
            "expected '<document start>'",
            "expected ',' or ']'",
            "expected ',' or '}'",
            "expected ' '",
            "expected '!'",
            "expected '>'",
            "found unknown escape character",
            "found unexpected end of stream",
            "found unexpected document separator",
            "found undefined tag handle",
            "found duplicate YAML directive",
            "found incompatible YAML document",
            "found a number which cannot represent a valid version",
            "duplicate tag handle",
            "unexpected character found");

    private static final List<String> KNOWN_CONTEXTS = List.of(
            "while scanning a simple key",
            "while scanning a directive",
            "while scanning a YAML directive",
            "while scanning an alias",
            "while scanning an anchor",
            "while scanning a tag",
            "while scanning a block scalar",
            "while scanning a quoted scalar",
            "while scanning a double-quoted scalar",
            "while parsing a block node",
            "while parsing a flow node",
            "while parsing a block collection",
            "while parsing a block mapping",
            "while parsing a flow sequence",
            "while parsing a flow mapping");

    private YamlMistake() {}

    static UnreadableTextException of(MarkedYAMLException e, Position reader) {
        Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
        if (mark == null) {
            return unknown(reader);
        }
        StringBuilder message = new StringBuilder("this is not YAML");
        String problem = e.getProblem() == null ? "" : e.getProblem();
        if (problem.startsWith("found character ")) {
            message.append(": found a character that cannot start a token");
        } else {
            KNOWN.stream()
                    .filter(problem::startsWith)
                    .findFirst()
                    .ifPresent(known -> message.append(": ").append(known));
        }
        if (e.getContext() != null && KNOWN_CONTEXTS.contains(e.getContext())) {
            message.append(", ").append(e.getContext());
            if (e.getContextMark() != null) {
                message.append(" that starts at line ")
                        .append(e.getContextMark().getLine() + 1);
            }
        }
        return new Position.At(reader.source(), mark.getLine() + 1, mark.getColumn() + 1)
                .invalid(message.toString(), hint(problem));
    }

    static UnreadableTextException unknown(Position reader) {
        return reader.invalid("this is not YAML", null);
    }

    private static String hint(String problem) {
        if (problem.startsWith("found character '\\t")) {
            return "indent with spaces, not with tabs";
        }
        if (problem.startsWith("found character")) {
            return "quote the value";
        }
        if (problem.startsWith("mapping values are not allowed")) {
            return "check the indentation, or quote a value that contains a colon and a space";
        }
        if (problem.startsWith("expected <block end>") || problem.startsWith("could not find expected ':'")) {
            return "check the indentation of this line and the lines before it";
        }
        return null;
    }
}
