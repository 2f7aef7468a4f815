package dev.strake.engine.substitution;

import dev.strake.engine.document.Substitution;
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
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.function.Consumer;

/**
 * The value that one substitution takes from its source. The value is an input of the evaluation, so it is read
 * immediately. The pattern is applied later, when the first destination is written.
 *
 * <p>Messages name the source by schema and name, without its layer: later, another layer may provide the same content.
 */
public final class TakenValue {

    private final Source wanted;
    private final int number;
    private final DocumentId source;
    private final Consumer<Problem> warnings;
    private Value found;
    private PathSyntaxException unreadable;
    private Value picked;

    private TakenValue(Source wanted, int number, DocumentId source, Consumer<Problem> warnings) {
        this.wanted = wanted;
        this.number = number;
        this.source = source;
        this.warnings = warnings;
    }

    /**
     * Reads the value.
     *
     * @param number position of the substitution in its document, counted from 0
     * @param source the document that the substitution names
     * @param data the rendered data of the source
     * @param warnings receives a warning if the pattern matches nothing
     */
    public static TakenValue of(
            Substitution substitution,
            int number,
            DocumentId source,
            Value data,
            Budget reading,
            Consumer<Problem> warnings) {
        TakenValue taken = new TakenValue(substitution.source(), number, source, warnings);
        try {
            taken.found = select(taken.wanted.path().compiled(), data, reading);
        } catch (PathSyntaxException e) {
            taken.unreadable = e; // thrown later, in order: an earlier substitution may fail first
        }
        return taken;
    }

    /*
     * A path can select a part of a mapping or list (Deckhand takes a list as a whole, whatever the path). A scalar can
     * only be read as a whole.
     */
    private static Value select(Path path, Value data, Budget budget) {
        boolean hasPlaces = data instanceof Container || Text.isSealed(data);
        if (!hasPlaces && !path.isRoot()) {
            return null;
        }
        Value value = path.first(data, budget);
        if (value == null || value instanceof Null) {
            return null;
        }
        budget.spendJson(value); // for its hash, which decides whether the document is rendered again
        return value;
    }

    /** Position of the substitution in its document, counted from 0. */
    public int number() {
        return number;
    }

    public Source wanted() {
        return wanted;
    }

    public DocumentId source() {
        return source;
    }

    /** The value at the source path; Java's null if it is missing or null. */
    public Value found() {
        return found;
    }

    /** The written value: the found value, or the part that the pattern picks. Null before the first write. */
    public Value picked() {
        return picked;
    }

    /**
     * The data with the value written to one of the substitution's destinations.
     *
     * @param to position of the destination in the substitution
     * @throws EvaluationException if the source has no value at the path, or the value cannot be written
     */
    public Value writtenTo(Destination destination, int to, Value data, Budget budget) throws EvaluationException {
        Value value = value(budget);
        try {
            return Substituting.write(destination, value, data, budget);
        } catch (PathSyntaxException | PathConflictException | IllegalArgumentException e) {
            String message = "cannot write the value of %s to %s: %s"
                    .formatted(source.key(), destination.path(), e.getMessage());
            throw new EvaluationException(
                    ProblemCode.UNKNOWN_SUBSTITUTION_ERROR, Substituting.place(number, to), message, null, source);
        }
    }

    private Value value(Budget budget) throws EvaluationException {
        if (unreadable != null) {
            throw notTaken(unreadable.getMessage(), null);
        }
        if (found == null) {
            throw new EvaluationException(
                    ProblemCode.SUBSTITUTION_SOURCE_DATA_NOT_FOUND,
                    Substituting.place(number) + ".src",
                    "finds nothing, or null, at %s of %s".formatted(wanted.path(), source.key()),
                    "correct src.path, or give the source a value there",
                    source);
        }
        if (picked == null) {
            picked = wanted.pattern().isEmpty() || Text.isSealed(found) ? found : pick(budget);
        }
        return picked;
    }

    /* The part of the value that the pattern picks. */
    private Value pick(Budget budget) throws EvaluationException {
        try {
            if (!(found instanceof Text text)) {
                throw new IllegalArgumentException(
                        "src.pattern needs text, but the source has " + found.kindWithArticle());
            }
            TextPattern pattern = TextPattern.of(wanted.pattern());
            budget.spend(pattern.effort());
            if (wanted.matchGroup() < 0 || wanted.matchGroup() > pattern.groups()) {
                throw new IllegalArgumentException("the pattern has no group " + wanted.matchGroup());
            }
            TextPattern.Match match = pattern.search(text.value(), 0, wanted.matchGroup(), budget);
            if (match == null) {
                String message = "the pattern matches nothing in %s of %s, so the whole value is used"
                        .formatted(wanted.path(), source.key());
                warnings.accept(Problem.of(ProblemCode.PATTERN_NOT_FOUND, null, message, null)
                        .at(Substituting.place(number) + ".src.pattern")
                        .relatedTo(List.of(source)));
                return found;
            }
            Value part = match.group() == null ? Null.NULL : new Text(match.group());
            return part.secretIf(found.isSecret());
        } catch (IllegalArgumentException e) {
            throw notTaken(e.getMessage(), source);
        }
    }

    private EvaluationException notTaken(String why, DocumentId related) {
        String message = "cannot use %s of %s: %s".formatted(wanted.path(), source.key(), why);
        return new EvaluationException(
                ProblemCode.UNKNOWN_SUBSTITUTION_ERROR, Substituting.place(number) + ".src", message, null, related);
    }

    @Override
    public String toString() {
        return "TakenValue[" + number + "]"; // the value may be secret
    }
}
