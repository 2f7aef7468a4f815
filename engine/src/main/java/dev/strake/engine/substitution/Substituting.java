package dev.strake.engine.substitution;

import dev.strake.engine.document.Substitution.Destination;
import dev.strake.engine.document.Substitution.Source;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathConflictException;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.pattern.TextPattern;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Container;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.PythonRepr;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.function.Consumer;

/**
 * Carries out the substitutions of one document, in their order.
 *
 * <p>Values are immutable, so a destination can never change the source (in Deckhand it can). Texts are inserted
 * literally (in Deckhand a backslash in a password is an escape).
 */
public final class Substituting {

    // Messages name a source by schema and name: another layer may come to provide it, with the same content.

    /** Of a path in a message. */
    private static final int LONGEST_PATH = 300;

    private Substituting() {}

    /**
     * The value that a substitution takes from its source, before any pattern. Mappings and lists can be read by a path
     * (Deckhand takes a list as a whole, whatever the path). Scalars can only be read as a whole.
     *
     * @param data the rendered data of the source
     * @return the value, or Java's null if the value is missing or null
     */
    public static Value select(Source source, Value data, Budget budget) throws PathSyntaxException {
        Path path = source.path().compiled();
        boolean hasPlaces = data instanceof Container || Text.isSealed(data);
        if (!hasPlaces && !path.isRoot()) {
            return null;
        }
        Value value = path.first(data, budget);
        if (value == null || value instanceof Null) {
            return null;
        }
        budget.spendJson(value); // it will be hashed, to tell whether the document has to be rendered again
        return value;
    }

    /**
     * The part of the value that the source pattern picks; without a pattern, the whole value.
     *
     * @param number position of the substitution in its document, counted from 0; for messages
     * @param found the value that {@link #select} found in the source
     * @param sourceId the source document, for messages
     * @param warnings receives a warning if the pattern matches nothing
     */
    public static Value pick(
            Source source, int number, Value found, DocumentId sourceId, Budget budget, Consumer<Problem> warnings)
            throws EvaluationException {
        if (source.pattern().isEmpty() || Text.isSealed(found)) {
            return found;
        }
        try {
            if (!(found instanceof Text text)) {
                throw new IllegalArgumentException("src.pattern needs a text, and the source has a " + found.kind());
            }
            TextPattern pattern = TextPattern.of(source.pattern());
            budget.spend(pattern.effort());
            if (source.matchGroup() < 0 || source.matchGroup() > pattern.groups()) {
                throw new IllegalArgumentException("the pattern has no group " + source.matchGroup());
            }
            TextPattern.Match match = pattern.search(text.value(), 0, source.matchGroup(), budget);
            if (match == null) {
                String message = "the pattern matches nothing in %s of %s, the whole value is used"
                        .formatted(shortened(source.path().text()), sourceId.key());
                warnings.accept(Problem.of(ProblemCode.PATTERN_NOT_FOUND, null, message, null)
                        .at(place(number) + ".src.pattern")
                        .relatedTo(List.of(sourceId)));
                return found;
            }
            Value picked = match.group() == null ? Null.NULL : new Text(match.group());
            return picked.secretIf(found.isSecret());
        } catch (IllegalArgumentException e) {
            throw new EvaluationException(
                    ProblemCode.UNKNOWN_SUBSTITUTION_ERROR,
                    place(number) + ".src",
                    "cannot take %s of %s: %s"
                            .formatted(shortened(source.path().text()), sourceId.key(), e.getMessage()),
                    null,
                    sourceId);
        }
    }

    /**
     * The data with a value written to one of a substitution's destinations.
     *
     * @param number position of the substitution in its document, counted from 0; for messages
     * @param to position of the destination in the substitution
     * @param picked the value that {@link #pick} returned
     * @param data the data to write into
     * @param sourceId the source document, for messages
     */
    public static Value write(
            Destination destination, int number, int to, Value picked, Value data, DocumentId sourceId, Budget budget)
            throws EvaluationException {
        try {
            return write(destination, picked, data, budget);
        } catch (PathSyntaxException | PathConflictException | IllegalArgumentException e) {
            throw new EvaluationException(
                    ProblemCode.UNKNOWN_SUBSTITUTION_ERROR,
                    place(number, to),
                    "cannot write what comes from %s to %s: %s"
                            .formatted(
                                    sourceId.key(), shortened(destination.path().text()), e.getMessage()),
                    null,
                    sourceId);
        }
    }

    /** Where a substitution stands in its document, as problems say it. */
    public static String place(int number) {
        return ".metadata.substitutions[" + number + "]";
    }

    /** Where one of its destinations stands. */
    public static String place(int number, int to) {
        return place(number) + ".dest[" + to + "]";
    }

    /** A path as its author wrote it, for a message. */
    public static String shortened(String path) {
        return Problem.cut(path, LONGEST_PATH);
    }

    private static Value write(Destination destination, Value value, Value data, Budget budget)
            throws PathSyntaxException, PathConflictException {
        Path path = destination.path().compiled();
        if (!destination.pattern().isEmpty()) {
            return writeByPattern(destination, path, value, data, budget);
        }
        if (path.isRoot()) {
            // At the root, a map is updated by a map on the first level only.
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
        Replacing replacing =
                new Replacing(pattern, inserted(value, budget), new TextPattern.Room(budget.bytes()), budget);
        Value found = path.first(data, budget);
        if (found instanceof Text text) {
            return path.write(data, replacing.in(text), budget);
        }
        if (destination.recurseDepth() == null) {
            throw new IllegalArgumentException("dest.pattern needs a text at its path, and finds "
                    + (found == null ? "nothing" : "a " + found.kind()));
        }
        if (found == null) {
            // Deckhand leaves an empty map there; published documents may rely on it.
            return path.write(data, MapValue.EMPTY, budget);
        }
        if (!(found instanceof Container)) {
            throw new IllegalArgumentException("dest.recurse needs a text or a container, and finds a " + found.kind());
        }
        int depth = destination.recurseDepth() < 0 ? Integer.MAX_VALUE : destination.recurseDepth();
        return path.write(data, replacing.below(found, depth), budget);
    }

    /**
     * Replaces the matches of one pattern by one text, in all places of the destination.
     *
     * @param inserted the text that replaces the matches
     * @param room limits the text that all places together may become
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

        /* A text that was replaced by an equal one is another object, and may be told as what it was replaced by. */
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
            return "Replacing"; // the text that is inserted may be secret
        }
    }

    /* As Deckhand inserts it: by Python, but numbers stay as they were written. */
    private static Text inserted(Value value, Budget budget) {
        budget.spendText(value.weight());
        return value instanceof Text text ? text : new Text(PythonRepr.of(value, Num::literal)).madeOf(value);
    }
}
