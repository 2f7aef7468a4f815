package dev.strake.engine.substitution;

import dev.strake.engine.document.Substitution.Destination;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathConflictException;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.pattern.TextPattern;
import dev.strake.engine.tree.Container;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.PythonRepr;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/**
 * Writes the values of substitutions to their destinations.
 *
 * <p>Values are immutable, so a destination can never change the source (in Deckhand it can). Texts are inserted
 * literally (in Deckhand a backslash in a password is an escape).
 */
public final class Substituting {

    private Substituting() {}

    /** The path of a substitution in its document, for problems. */
    public static String place(int number) {
        return ".metadata.substitutions[" + number + "]";
    }

    /** The path of one of its destinations. */
    public static String place(int number, int to) {
        return place(number) + ".dest[" + to + "]";
    }

    /** The data with a value written to a destination. */
    static Value write(Destination destination, Value value, Value data, Budget budget)
            throws PathSyntaxException, PathConflictException {
        Path path = destination.path().compiled();
        if (!destination.pattern().isEmpty()) {
            return writeByPattern(destination, path, value, data, budget);
        }
        if (path.isRoot()) {
            // At the root, a map updates a map on the first level only.
            if (data instanceof MapValue under && value instanceof MapValue over) {
                return updated(under, over, budget);
            }
            return Text.isSealed(data) && value instanceof MapValue ? data : value;
        }
        return path.write(data, value, budget);
    }

    private static MapValue updated(MapValue under, MapValue over, Budget budget) {
        budget.spend(Budget.ENTRY * ((long) under.size() + over.size()));
        return under.updatedWith(over);
    }

    private static Value writeByPattern(Destination destination, Path path, Value value, Value data, Budget budget)
            throws PathConflictException {
        TextPattern pattern = TextPattern.of(destination.pattern());
        budget.spend(pattern.effort());
        Replacing replacing = new Replacing(
                pattern,
                inserted(value, budget),
                new TextPattern.Room(budget.limits().bytes()),
                budget);
        Value found = path.first(data, budget);
        if (found instanceof Text text) {
            return path.write(data, replacing.in(text), budget);
        }
        if (destination.recurseDepth() == null) {
            throw new IllegalArgumentException("dest.pattern needs text there, but finds "
                    + (found == null ? "nothing" : found.kindWithArticle()));
        }
        if (found == null) {
            // Deckhand leaves an empty map there; published documents may rely on it.
            return path.write(data, MapValue.EMPTY, budget);
        }
        if (!(found instanceof Container)) {
            throw new IllegalArgumentException(
                    "dest.recurse needs text, a mapping or a list there, but finds " + found.kindWithArticle());
        }
        int depth = destination.recurseDepth() < 0 ? Integer.MAX_VALUE : destination.recurseDepth();
        return path.write(data, replacing.below(found, depth), budget);
    }

    /**
     * Replaces the matches of one pattern by one text, in all places of the destination.
     *
     * @param inserted the text that replaces the matches
     * @param room the limit for the resulting texts of all places together
     */
    private record Replacing(TextPattern pattern, Text inserted, TextPattern.Room room, Budget budget) {

        Text in(Text text) {
            budget.spendText(text.weight());
            String result = pattern.replaceAll(text.value(), inserted.value(), room, budget);
            if (Text.isSealed(text) || !hasMatched(result, text)) {
                return text;
            }
            Text made = new Text(result).secretIf(text.isSecret()).madeOf(inserted);
            return made.equals(text) && made.isSecret() == text.isSecret() ? text : made;
        }

        /* Compares identity: a match always makes a new text. It may be secret now, even if it is equal. */
        @SuppressWarnings("ReferenceEquality")
        private static boolean hasMatched(String result, Text text) {
            return result != text.value();
        }

        /* Searches containers down to the given depth. Values without a match stay the same objects. */
        Value below(Value value, int depth) {
            if (depth == 0) {
                return value;
            }
            if (value instanceof MapValue map) {
                budget.spend(2L * map.size());
                return map.withEach((key, child) -> child(child, depth));
            }
            ListValue list = (ListValue) value;
            budget.spend(2L * list.size());
            return list.withEach((i, child) -> child(child, depth));
        }

        private Value child(Value child, int depth) {
            if (child instanceof Text text) {
                return in(text);
            }
            return child instanceof Container ? below(child, depth - 1) : child;
        }

        @Override
        public String toString() {
            return "Replacing"; // the inserted text may be secret
        }
    }

    /* The text that Deckhand inserts: the value in Python's notation, but numbers stay as written. */
    private static Text inserted(Value value, Budget budget) {
        budget.spendText(value.weight());
        return value instanceof Text text ? text : new Text(PythonRepr.of(value, Num::literal)).madeOf(value);
    }
}
