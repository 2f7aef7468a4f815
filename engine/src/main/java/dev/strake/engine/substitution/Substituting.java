package dev.strake.engine.substitution;

import dev.strake.engine.document.RenderLimits;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.document.Substitution.Destination;
import dev.strake.engine.document.Substitution.Source;
import dev.strake.engine.identity.DocumentId;
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

    private Substituting() {}

    /**
     * The value a substitution takes from its source, before any pattern. A mapping and a list can be read by a path
     * (Deckhand takes the whole of a list, whatever the path), a text or number as a whole only.
     *
     * @param data the source's rendered data
     * @return the value, or Java's null if there is none or it is null
     */
    public static Value select(Source source, Value data) throws PathSyntaxException {
        Path path = source.path();
        boolean hasPlaces = data instanceof MapValue || data instanceof ListValue;
        if (!hasPlaces && !path.isRoot()) {
            return null;
        }
        Value value = path.first(data);
        return value == Null.NULL ? null : value;
    }

    /**
     * The data with one substitution carried out.
     *
     * @param i position of the substitution in its document, for messages
     * @param value what {@link #select} found in the source
     * @param sourceId the document that was the source, for messages
     * @param limits of what may come out
     * @param warnings hears of a source pattern that matched nothing
     */
    public static Value apply(
            Substitution substitution,
            int i,
            Value value,
            DocumentId sourceId,
            Value data,
            RenderLimits limits,
            Consumer<Problem> warnings)
            throws EvaluationException {
        Value picked = pick(substitution.source(), i, value, sourceId, warnings);
        Value result = data;
        for (Destination destination : substitution.destinations()) {
            try {
                result = write(destination, picked, result, limits);
            } catch (PathSyntaxException | PathConflictException | IllegalArgumentException e) {
                throw new EvaluationException(
                        ProblemCode.UNKNOWN_SUBSTITUTION_ERROR,
                        destination.pathText(),
                        "substitution " + (i + 1) + " cannot be written: " + e.getMessage(),
                        null,
                        sourceId);
            }
        }
        return result;
    }

    private static Value pick(Source source, int i, Value value, DocumentId sourceId, Consumer<Problem> warnings)
            throws EvaluationException {
        if (source.pattern().isEmpty()) {
            return value;
        }
        try {
            if (!(value instanceof Text text)) {
                throw new IllegalArgumentException("src.pattern needs a text, and the source has a " + value.kind());
            }
            TextPattern pattern = TextPattern.of(source.pattern());
            if (source.matchGroup() < 0 || source.matchGroup() > pattern.groups()) {
                throw new IllegalArgumentException("the pattern has no group " + source.matchGroup());
            }
            TextPattern.Match match = pattern.search(text.value(), 0, source.matchGroup());
            if (match == null) {
                String message = "src.pattern of substitution " + (i + 1) + " matches nothing, the whole value is used";
                warnings.accept(Problem.of(ProblemCode.PATTERN_NOT_FOUND, null, message, null)
                        .at(source.pathText())
                        .relatedTo(List.of(sourceId)));
                return value;
            }
            return match.group() == null ? Null.NULL : new Text(match.group());
        } catch (IllegalArgumentException e) {
            throw new EvaluationException(
                    ProblemCode.UNKNOWN_SUBSTITUTION_ERROR,
                    source.pathText(),
                    "substitution " + (i + 1) + " cannot take its value: " + e.getMessage(),
                    null,
                    sourceId);
        }
    }

    private static Value write(Destination destination, Value value, Value data, RenderLimits limits)
            throws PathSyntaxException, PathConflictException {
        Path path = destination.path();
        if (!destination.pattern().isEmpty()) {
            return writeByPattern(destination, path, value, data, limits);
        }
        if (path.isRoot()) {
            // A map laid over a map at the root updates its first level, and that only.
            return data instanceof MapValue under && value instanceof MapValue over ? under.updatedWith(over) : value;
        }
        return path.write(data, value, limits.padding());
    }

    private static Value writeByPattern(
            Destination destination, Path path, Value value, Value data, RenderLimits limits)
            throws PathConflictException {
        TextPattern pattern = TextPattern.of(destination.pattern());
        Replacing replacing = new Replacing(pattern, asText(value), limits.bytes());
        Value found = path.first(data);
        if (found instanceof Text text) {
            return path.write(data, replacing.in(text), limits.padding());
        }
        if (destination.recurseDepth() == null) {
            throw new IllegalArgumentException("dest.pattern needs a text at its path, and finds "
                    + (found == null ? "nothing" : "a " + found.kind()));
        }
        if (found == null) {
            // What Deckhand leaves there; published documents may rely on it.
            return path.write(data, MapValue.EMPTY, limits.padding());
        }
        if (!(found instanceof MapValue) && !(found instanceof ListValue)) {
            throw new IllegalArgumentException("dest.recurse needs a text or a container, and finds a " + found.kind());
        }
        int depth = destination.recurseDepth() < 0 ? Integer.MAX_VALUE : destination.recurseDepth();
        return path.write(data, replacing.below(found, depth), limits.padding());
    }

    /**
     * The replacing of one pattern by one text, wherever the destination says.
     *
     * @param most characters that all places together may come to
     */
    private record Replacing(TextPattern pattern, String inserted, long most) {

        Text in(Text text) {
            String result = pattern.replaceAll(text.value(), inserted, most);
            return result.equals(text.value()) ? text : new Text(result);
        }

        /* Containers at depth 0 up to the given one; what does not match keeps its object. */
        Value below(Value value, int depth) {
            if (depth == 0) {
                return value;
            }
            if (value instanceof MapValue map) {
                MapValue result = map;
                for (int i = 0; i < map.size(); i++) {
                    result = result.withValueAt(i, child(map.valueAt(i), depth));
                }
                return result;
            }
            ListValue result = (ListValue) value;
            for (int i = 0; i < result.size(); i++) {
                result = result.with(i, child(result.get(i), depth));
            }
            return result;
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
    private static String asText(Value value) {
        if (value instanceof Text text) {
            return text.value();
        }
        return value instanceof Num num ? num.literal() : new String(JsonBytes.sorted(value), StandardCharsets.UTF_8);
    }
}
