package dev.strake.engine.render;

import dev.strake.engine.derivation.Derivation;
import dev.strake.engine.derivation.Read;
import dev.strake.engine.derivation.Reader;
import dev.strake.engine.document.Kind;
import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.BudgetExceededException;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One evaluation of an owner: its reads, and the derived documents. A derived document is in its owner's layer. Its
 * storage policy is encrypted if all of its data is secret. This is always so if the owner has secrets. The data has to
 * conform to the DataSchema for its schema, if there is one.
 */
final class OwnerEvaluation {

    /** The maximum size of all derived documents of one owner, in documents of the maximum size. */
    private static final int MOST_DOCUMENTS_FULL = 4;

    private final DocumentId owner;
    private final OwnerReads.Snapshot snapshot;
    private final RenderLimits limits;
    private final DataSchemas schemas;
    private final OwnerReads reading;
    private final Budget budget;
    private final boolean isSecret;
    private final Map<DocumentKey, MapValue> documents = new TreeMap<>();
    private Problem problem;
    private DocumentId cause;
    private boolean made;

    /** @param schemas check the derived data; null if it was checked when the revision was made */
    OwnerEvaluation(DocumentId owner, OwnerReads.Snapshot snapshot, RenderLimits limits, DataSchemas schemas) {
        this.owner = owner;
        this.snapshot = snapshot;
        this.limits = limits;
        this.schemas = schemas;
        this.budget = limits.budget();
        this.isSecret = snapshot.contents().data(owner).hasSecrets();
        this.reading = new OwnerReads(snapshot, budget, owner, isSecret);
    }

    /** Evaluates the owner. */
    void carryOut() {
        try {
            if (!snapshot.contents().data(owner).hasSealed()) { // otherwise the derivation is unknown
                derive();
                checkData();
            }
            made = true;
        } catch (OwnerReads.BlockedException e) {
            block(snapshot.evaluations().apply(e.document()), e.document());
        } catch (BudgetExceededException e) {
            problem = e.at(".data", "deriving documents").toProblem(owner);
        } catch (EvaluationException e) {
            problem = e.toProblem(owner);
        }
        if (!made) {
            documents.clear();
        }
        if (problem != null && cause == null && hasReadSealed()) {
            problem = null;
            made = true; // sealed data was read, so the documents are unknown
        }
    }

    private boolean hasReadSealed() {
        return reading.reads().keySet().stream().anyMatch(read -> read instanceof Read.Data data && hasSealed(data));
    }

    private boolean hasSealed(Read.Data read) {
        Facts found = snapshot.graph().rendered(read.document());
        return found != null && snapshot.contents().data(found.id()).hasSealed();
    }

    private void derive() throws EvaluationException {
        Value data = snapshot.contents().data(owner);
        Map<DocumentKey, Value> derived = Derivation.of(owner.schema())
                .derive(owner, data, reading, each -> problem = problem == null ? each.on(owner) : problem);
        if (derived.size() > Derivation.MOST_DERIVED) {
            throw tooMuch("derives more than " + Derivation.MOST_DERIVED + " documents");
        }
        long left = limits.bytes() > Long.MAX_VALUE / MOST_DOCUMENTS_FULL
                ? Long.MAX_VALUE
                : limits.bytes() * MOST_DOCUMENTS_FULL;
        for (Map.Entry<DocumentKey, Value> each : derived.entrySet()) {
            limits.check(each.getValue());
            MapValue document = document(each.getKey(), each.getValue().secretIf(isSecret));
            left -= document.weight();
            if (document.weight() > RenderLimits.RECORD_BYTES || left < 0) {
                throw tooMuch("derives too much data, in one document or in all together");
            }
            budget.spendJson(document);
            documents.put(each.getKey(), document);
        }
    }

    /* Comes last, so that a secret schema does not make the documents secret. */
    private void checkData() throws EvaluationException {
        Map<String, Reader.Content> bodies = new HashMap<>();
        for (Map.Entry<DocumentKey, MapValue> each : documents.entrySet()) {
            String schema = each.getKey().schema();
            DocumentKey governor = new DocumentKey(Kind.DATA_SCHEMA, schema);
            if (Kind.isGovernable(schema) && !bodies.containsKey(schema)) {
                bodies.put(schema, reading.content(governor));
            }
            Reader.Content body = bodies.get(schema);
            if (body != null && schemas != null) {
                DocumentId id = snapshot.graph().rendered(governor).id();
                schemas.checkDerived(
                        each.getKey(),
                        each.getValue().get("data"),
                        id,
                        snapshot.graph().isSecret(id)
                                || each.getValue().get("data").hasSecrets(),
                        body,
                        budget);
            }
        }
    }

    private static EvaluationException tooMuch(String message) {
        return new EvaluationException(
                ProblemCode.LIMIT_EXCEEDED, ".data", message, "split it into several documents", null);
    }

    private MapValue document(DocumentKey key, Value data) {
        MapValue metadata = MapValue.builder()
                .put("schema", new Text("metadata/Document/v1"))
                .put("name", new Text(key.name()))
                .put(StoragePolicy.KEY, (data.isSecret() ? StoragePolicy.ENCRYPTED : StoragePolicy.CLEARTEXT).text())
                .put("layeringDefinition", MapValue.of("layer", new Text(owner.layer())))
                .build();
        return MapValue.builder()
                .put("schema", new Text(key.schema()))
                .put("metadata", metadata)
                .put("data", data)
                .build();
    }

    private void block(Evaluation other, DocumentId read) {
        cause = other.cause() == null ? read : other.cause();
        problem = Problem.of(
                        other.problem().code(),
                        owner,
                        "reads " + read + ", which cannot be rendered"
                                + (cause.equals(read) ? "" : " because of " + cause),
                        "see the problem of that document")
                .relatedTo(List.of(cause));
    }

    /** The reads with their results, in order. */
    Map<Read, Fingerprint> reads() {
        return reading.reads();
    }

    /** Whether the documents could be derived. */
    boolean isMade() {
        return made;
    }

    /** The derived documents, in order of their keys; none if they could not be derived. */
    Map<DocumentKey, MapValue> documents() {
        return documents;
    }

    /** Discards all derived documents, because one is too large in its published form. */
    void refuse() {
        problem = tooMuch("derives a document that is too large in its published form")
                .toProblem(owner);
        made = false;
        documents.clear();
    }

    /** The work of the evaluation, in units of a {@link Budget}. */
    long effort() {
        return budget.spent();
    }

    /**
     * The result to keep.
     *
     * @param outputs the records of the documents
     * @param before the previous result; null if there is none
     */
    Derived result(Map<DocumentKey, Output> outputs, Derived before) {
        return new Derived(
                snapshot.ofOwner(owner),
                Map.copyOf(reading.reads()),
                made ? Map.copyOf(outputs) : before == null ? Map.of() : before.documents(),
                !made,
                problem,
                cause);
    }
}
