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
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * Carries out the substitutions of one document, in their order.
 *
 * <p>Values are immutable, so a source can never be altered through one of its destinations (in Deckhand it can), and
 * texts are inserted literally (in Deckhand a backslash in a password is an instruction).
 */
public final class Substituting {

    /** To put an entry into a map that is being built takes as long as this many values are looked at. */
    private static final int BUILDING = 4;

    private Substituting() {}

    /**
     * The value a substitution takes from its source, before any pattern. A mapping and a list can be read by a path
     * (Deckhand takes the whole of a list, whatever the path), a text or number as a whole only.
     *
     * @param data the source's rendered data
     * @return the value, or Java's null if there is none or it is null
     */
    public static Value select(Source source, Value data, Budget budget) throws PathSyntaxException {
        Path path = source.path();
        boolean hasPlaces = data instanceof MapValue || data instanceof ListValue;
        if (!hasPlaces && !path.isRoot()) {
            return null;
        }
        Value value = path.first(data, budget);
        if (value == null || value == Null.NULL) {
            return null;
        }
        budget.spendJson(value); // its hash is what tells whether the document has to be rendered again
        return value;
    }

    /**
     * What a substitution's pattern leaves of the value that it found; without a pattern, the value itself.
     *
     * @param number position of the substitution in its document, counted from 0; for messages
     * @param found what {@link #select} found in the source
     * @param sourceId the document that was the source, for messages
     * @param warnings hears of a pattern that matched nothing
     */
    public static Value pick(
            Source source, int number, Value found, DocumentId sourceId, Budget budget, Consumer<Problem> warnings)
            throws EvaluationException {
        if (source.pattern().isEmpty()) {
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
                String message =
                        "src.pattern of substitution " + (number + 1) + " matches nothing, the whole value is used";
                warnings.accept(Problem.of(ProblemCode.PATTERN_NOT_FOUND, null, message, null)
                        .at(source.pathText())
                        .relatedTo(List.of(sourceId)));
                return found;
            }
            return match.group() == null ? Null.NULL : new Text(match.group());
        } catch (IllegalArgumentException e) {
            throw new EvaluationException(
                    ProblemCode.UNKNOWN_SUBSTITUTION_ERROR,
                    source.pathText(),
                    "substitution " + (number + 1) + " cannot take its value: " + e.getMessage(),
                    null,
                    sourceId);
        }
    }

    /**
     * The data with a value written to one of a substitution's destinations.
     *
     * @param number position of the substitution in its document, counted from 0; for messages
     * @param picked what {@link #pick} left
     * @param sourceId the document that was the source, for messages
     */
    public static Value write(
            Destination destination, int number, Value picked, Value data, DocumentId sourceId, Budget budget)
            throws EvaluationException {
        try {
            return write(destination, picked, data, budget);
        } catch (PathSyntaxException | PathConflictException | IllegalArgumentException e) {
            throw new EvaluationException(
                    ProblemCode.UNKNOWN_SUBSTITUTION_ERROR,
                    destination.pathText(),
                    "substitution " + (number + 1) + " cannot be written: " + e.getMessage(),
                    null,
                    sourceId);
        }
    }

    private static Value write(Destination destination, Value value, Value data, Budget budget)
            throws PathSyntaxException, PathConflictException {
        Path path = destination.path();
        if (!destination.pattern().isEmpty()) {
            return writeByPattern(destination, path, value, data, budget);
        }
        if (path.isRoot()) {
            // A map laid over a map at the root updates its first level, and that only.
            return data instanceof MapValue under && value instanceof MapValue over
                    ? updated(under, over, budget)
                    : value;
        }
        return path.write(data, value, budget);
    }

    private static MapValue updated(MapValue under, MapValue over, Budget budget) {
        budget.spend(BUILDING * ((long) under.size() + over.size()));
        return under.updatedWith(over);
    }

    private static Value writeByPattern(Destination destination, Path path, Value value, Value data, Budget budget)
            throws PathConflictException {
        TextPattern pattern = TextPattern.of(destination.pattern());
        budget.spend(pattern.effort());
        Replacing replacing =
                new Replacing(pattern, asText(value, budget), new TextPattern.Room(budget.bytes()), budget);
        Value found = path.first(data, budget);
        if (found instanceof Text text) {
            return path.write(data, replacing.in(text), budget);
        }
        if (destination.recurseDepth() == null) {
            throw new IllegalArgumentException("dest.pattern needs a text at its path, and finds "
                    + (found == null ? "nothing" : "a " + found.kind()));
        }
        if (found == null) {
            // What Deckhand leaves there; published documents may rely on it.
            return path.write(data, MapValue.EMPTY, budget);
        }
        if (!(found instanceof MapValue) && !(found instanceof ListValue)) {
            throw new IllegalArgumentException("dest.recurse needs a text or a container, and finds a " + found.kind());
        }
        int depth = destination.recurseDepth() < 0 ? Integer.MAX_VALUE : destination.recurseDepth();
        return path.write(data, replacing.below(found, depth), budget);
    }

    /**
     * The replacing of one pattern by one text, wherever the destination says.
     *
     * @param room for what all places together come to
     */
    private record Replacing(TextPattern pattern, String inserted, TextPattern.Room room, Budget budget) {

        Text in(Text text) {
            budget.spendText(text.weight());
            String result = pattern.replaceAll(text.value(), inserted, room, budget);
            return result.equals(text.value()) ? text : new Text(result);
        }

        /* Containers at depth 0 up to the given one; what does not match keeps its object. */
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
            return child instanceof MapValue || child instanceof ListValue ? below(child, depth - 1) : child;
        }

        @Override
        public String toString() {
            return "Replacing"; // the text that is inserted may be secret
        }
    }

    /* Numbers as they were written, everything else that is no text as JSON: sorted, so that equal values insert the same. */
    private static String asText(Value value, Budget budget) {
        budget.spendText(value.weight());
        if (value instanceof Text text) {
            return text.value();
        }
        return value instanceof Num num ? num.literal() : new String(JsonBytes.sorted(value), StandardCharsets.UTF_8);
    }
}
