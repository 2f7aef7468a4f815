package dev.strake.engine.oracle;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.oracle.PlainDocument.Destination;
import dev.strake.engine.oracle.PlainDocument.Substitution;
import dev.strake.engine.oracle.Trouble.TroubleException;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathConflictException;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Substitution from Deckhand's description, with the documented differences: literal texts, no shared values. */
final class NaiveSubstitution {

    private final Substitution substitution;
    private final String place;
    private final DocumentId source;
    private final Limits limits;

    /** @param number counted from 0 */
    NaiveSubstitution(Substitution substitution, int number, DocumentId source, Limits limits) {
        this.substitution = substitution;
        this.place = ".metadata.substitutions[" + number + "]";
        this.source = source;
        this.limits = limits;
    }

    /**
     * Returns the value at the path of the source, before any pattern.
     *
     * @param data the rendered data of the source
     */
    Value select(Value data) throws TroubleException {
        Path path;
        try {
            path = Path.of(substitution.path());
        } catch (PathSyntaxException e) {
            throw Trouble.of(ProblemCode.UNKNOWN_SUBSTITUTION_ERROR, place + ".src")
                    .exception();
        }
        // Paths do not lead into a text or number.
        boolean hasPlaces = data instanceof MapValue || data instanceof ListValue;
        Value value = hasPlaces || path.isRoot() ? Places.first(path, data) : null;
        if (value == null || value instanceof Null) {
            throw Trouble.of(ProblemCode.SUBSTITUTION_SOURCE_DATA_NOT_FOUND, place + ".src", source)
                    .exception();
        }
        return value;
    }

    /** Returns the part of a value that the pattern of the source matches, or all of it without a match. */
    Value pick(Value value) throws TroubleException {
        if (substitution.pattern().isEmpty()) {
            return value;
        }
        Matcher matcher;
        try {
            Pattern pattern = Patterns.of(substitution.pattern());
            matcher = pattern.matcher(value instanceof Text text ? text.value() : "");
        } catch (IllegalArgumentException e) {
            throw unknown(place + ".src");
        }
        BigInteger group = substitution.group();
        if (!(value instanceof Text)
                || group.signum() < 0
                || group.compareTo(BigInteger.valueOf(matcher.groupCount())) > 0) {
            throw unknown(place + ".src");
        }
        if (!matcher.find()) {
            return value;
        }
        String found = matcher.group(group.intValue());
        Value picked = found == null ? Null.NULL : new Text(found);
        return picked.secretIf(value.isSecret());
    }

    /** Writes a value to one destination. */
    Value write(int number, Value value, Value data) throws TroubleException {
        Destination destination = substitution.destinations().get(number);
        try {
            Path path = Path.ofDestination(destination.path());
            if (!destination.pattern().isEmpty()) {
                return Places.write(
                        path,
                        data,
                        replaced(
                                destination,
                                Places.first(path, data),
                                new Inserted(asText(value), Secrets.isIn(value))),
                        limits.padding());
            }
            // At the root, a mapping only updates the first level of a mapping.
            return path.isRoot() && data instanceof MapValue under && value instanceof MapValue over
                    ? Places.updated(under, over)
                    : Places.write(path, data, value, limits.padding());
        } catch (PathSyntaxException | PathConflictException | IllegalArgumentException e) {
            throw unknown(place + ".dest[" + number + "]");
        }
    }

    /** A text to insert into others, and whether it is made from a secret. */
    private record Inserted(String text, boolean secret) {

        Text into(Text text, Pattern pattern, long[] made) {
            boolean isSecret = text.isSecret() || (secret && Patterns.finds(pattern, text.value()));
            return new Text(Patterns.replaceAll(pattern, text.value(), this.text, made)).secretIf(isSecret);
        }
    }

    /* The value at a destination with the pattern replaced. */
    private Value replaced(Destination destination, Value found, Inserted inserted) {
        Pattern pattern = Patterns.of(destination.pattern());
        long[] made = {0};
        Value result;
        if (found instanceof Text text) {
            result = inserted.into(text, pattern, made);
        } else if (destination.depth() == null) {
            throw new IllegalArgumentException("no text");
        } else if (found == null) {
            result = MapValue.EMPTY; // the result in Deckhand
        } else if (found instanceof MapValue || found instanceof ListValue) {
            boolean all =
                    destination.depth().signum() < 0 || destination.depth().bitLength() > 16;
            int depth = all ? Integer.MAX_VALUE : destination.depth().intValue();
            result = below(found, depth, pattern, inserted, made);
        } else {
            throw new IllegalArgumentException("neither text nor container");
        }
        if (made[0] > limits.bytes()) {
            throw new IllegalArgumentException("too many characters");
        }
        return result;
    }

    /* Texts directly in a container are at depth 0; deeper ones are replaced down to the given depth. */
    private static Value below(Value value, int depth, Pattern pattern, Inserted inserted, long[] made) {
        if (value instanceof MapValue map && depth > 0) {
            Map<String, Value> entries = new LinkedHashMap<>();
            map.forEach((key, each) -> entries.put(key, child(each, depth, pattern, inserted, made)));
            return Secrets.changed(map, MapValue.of(entries));
        }
        if (value instanceof ListValue list && depth > 0) {
            List<Value> items = new ArrayList<>();
            list.items().forEach(each -> items.add(child(each, depth, pattern, inserted, made)));
            return Secrets.changed(list, ListValue.of(items));
        }
        return value;
    }

    private static Value child(Value child, int depth, Pattern pattern, Inserted inserted, long[] made) {
        return child instanceof Text text
                ? inserted.into(text, pattern, made)
                : below(child, depth - 1, pattern, inserted, made);
    }

    private static String asText(Value value) {
        return value instanceof Text text ? text.value() : literal(value);
    }

    /* The notation of a value in Python, with numbers as written. */
    private static String literal(Value value) {
        if (value instanceof ListValue list) {
            List<String> items = new ArrayList<>();
            list.items().forEach(item -> items.add(literal(item)));
            return "[" + String.join(", ", items) + "]";
        }
        if (value instanceof MapValue map) {
            List<String> entries = new ArrayList<>();
            map.keys().forEach(key -> entries.add(literal(new Text(key)) + ": " + literal(map.get(key))));
            return "{" + String.join(", ", entries) + "}";
        }
        if (value instanceof Text text) {
            String plain = printable(text.value()
                    .replace("\\", "\\\\")
                    .replace("\n", "\\n")
                    .replace("\t", "\\t")
                    .replace("\r", "\\r"));
            return plain.contains("'") && !plain.contains("\"")
                    ? "\"" + plain + "\""
                    : "'" + plain.replace("'", "\\'") + "'";
        }
        if (value instanceof Num num) {
            return num.literal();
        }
        return value instanceof Null ? "None" : Bool.TRUE.equals(value) ? "True" : "False";
    }

    /* Escapes control characters by their numbers. */
    private static String printable(String text) {
        return Pattern.compile("[\\x00-\\x1f\\x7f-\\xa0\\xad]")
                .matcher(text)
                .replaceAll(found -> "\\\\x%02x".formatted((int) found.group().charAt(0)));
    }

    private TroubleException unknown(String path) {
        return Trouble.of(ProblemCode.UNKNOWN_SUBSTITUTION_ERROR, path, source).exception();
    }
}
