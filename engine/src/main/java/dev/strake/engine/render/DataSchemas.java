package dev.strake.engine.render;

import dev.strake.engine.cache.BoundedCache;
import dev.strake.engine.derivation.Reader;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.engine.validation.DataSchema;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Checks rendered and derived data: against the DataSchema of the revision that governs it, and against Deckhand's own
 * schemas for secrets. Compiled schemas are kept by their content, because a revision checks many documents with few.
 * Several threads may check at the same time.
 */
public final class DataSchemas {

    private static final int KEPT = 500;

    private final BoundedCache<Fingerprint, DataSchema> compiled = new BoundedCache<>(KEPT);

    /** The problem of a DataSchema document whose body is not a schema; null if it is one. */
    Problem bodyProblem(DocumentId id, Fingerprint hash, Value body, Budget budget) {
        try {
            compiled(hash, () -> body, budget);
            return null;
        } catch (IllegalArgumentException e) {
            return Problem.of(ProblemCode.INVALID_DOCUMENT_FORMAT, id, e.getMessage(), null)
                    .at(".data");
        }
    }

    /** The problem of rendered data that breaks the schema which governs it; null if it fits. */
    Problem dataProblem(
            Document document, Value data, DocumentId schema, Fingerprint hash, Supplier<Value> body, Budget budget) {
        List<DataSchema.Violation> violations;
        try {
            violations = violations(schema, data, hash, body, budget);
        } catch (IllegalArgumentException e) {
            return Problem.of(ProblemCode.INVALID_DOCUMENT_FORMAT, document.id(), useless(schema, e.getMessage()), null)
                    .at(".data")
                    .relatedTo(List.of(schema));
        }
        if (violations.isEmpty()) {
            return null;
        }
        String message = "violates the schema " + schema.name() + ": " + describe(violations);
        return Problem.of(ProblemCode.INVALID_DOCUMENT_FORMAT, document.id(), message, null)
                .at(violations.get(0).path())
                .relatedTo(List.of(schema));
    }

    /**
     * Throws a problem of the owner if a derived document breaks the schema that governs it.
     *
     * @param isSecret whether the schema is secret, so that messages must not quote it
     */
    void checkDerived(
            DocumentKey document, Value data, DocumentId schema, boolean isSecret, Reader.Content body, Budget budget)
            throws EvaluationException {
        String fault;
        try {
            List<DataSchema.Violation> violations = violations(schema, data, body.fingerprint(), body.data(), budget);
            if (violations.isEmpty()) {
                return;
            }
            fault = "whose data violates the schema " + schema.name() + ": "
                    + (isSecret ? Quoting.UNQUOTED : describe(violations));
        } catch (IllegalArgumentException e) {
            fault = "whose data " + useless(schema, isSecret ? Quoting.UNQUOTED : e.getMessage());
        }
        throw new EvaluationException(
                ProblemCode.INVALID_DOCUMENT_FORMAT,
                ".data",
                "derives " + document + ", " + fault,
                "correct the documents that it reads, or the schema",
                schema);
    }

    /*
     * Bodies for schemas that Deckhand does not accept are not checked on their own: Deckhand treats them as ordinary
     * documents with any content. Using an invalid one throws IllegalArgumentException. Sealed data counts as valid.
     */
    private List<DataSchema.Violation> violations(
            DocumentId schema, Value data, Fingerprint hash, Supplier<Value> body, Budget budget) {
        if (data.hasSealed()) {
            return List.of();
        }
        Budget ofSchema = Kind.isDeckhandSchemaName(schema.name()) ? RenderLimits.NONE.budget() : budget;
        return compiled(hash, body, ofSchema).check(data, budget);
    }

    private static String useless(DocumentId schema, String why) {
        return "cannot be checked against the schema " + schema.name() + ": " + why;
    }

    private static String describe(List<DataSchema.Violation> violations) {
        return violations.stream()
                .map(violation -> violation.path() + " " + violation.message())
                .collect(Collectors.joining("; "));
    }

    /** The problem of a secret whose rendered data is not text; null if it is. */
    Problem secretProblem(DocumentId id, Value data) {
        if (data instanceof Text) {
            return null;
        }
        return Problem.of(
                        ProblemCode.INVALID_DOCUMENT_FORMAT,
                        id,
                        "has to be text in a " + id.schema() + ", but is " + data.kindWithArticle(),
                        null)
                .at(".data");
    }

    private synchronized DataSchema compiled(Fingerprint hash, Supplier<Value> body, Budget budget) {
        DataSchema schema = compiled.get(hash);
        if (schema == null) {
            Value value = body.get();
            if (!(value instanceof MapValue) && !value.hasSealed()) {
                throw new IllegalArgumentException("the schema has to be a mapping");
            }
            schema = DataSchema.of(value.hasSealed() ? MapValue.EMPTY : (MapValue) value, budget);
            compiled.put(hash, schema, 1);
        } else {
            budget.spend(schema.effort());
        }
        return schema;
    }
}
