package dev.strake.engine.oracle;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.oracle.NaiveOperations.NoWayException;
import dev.strake.engine.oracle.NaiveRenderer.Outcome;
import dev.strake.engine.oracle.PlainDocument.Substitution;
import dev.strake.engine.oracle.Trouble.TroubleException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Evaluates every document of a set once, after its inputs. A document is reported with its first problem in this
 * order: its place, a cycle, its dependencies, the steps of its evaluation, the validation of its result.
 */
final class NaiveEvaluation {

    /** The position in {@code used} of the flag that says whether the document is in force. */
    static final int IN_FORCE = 1;

    private static final Set<String> SECRETS = Set.of(
            "deckhand/Certificate/v1",
            "deckhand/CertificateKey/v1",
            "deckhand/CertificateAuthority/v1",
            "deckhand/CertificateAuthorityKey/v1",
            "deckhand/Passphrase/v1",
            "deckhand/PrivateKey/v1",
            "deckhand/PublicKey/v1");

    private final Map<DocumentId, PlainDocument> documents;
    private final Links links;
    private final Placement placement;
    private final Limits limits;
    private final Map<DocumentId, Outcome> outcomes = new TreeMap<>();

    NaiveEvaluation(Map<DocumentId, PlainDocument> documents, Links links, Limits limits) {
        this.documents = documents;
        this.links = links;
        this.placement = new Placement(documents, links);
        this.limits = limits;
        documents.keySet().forEach(this::outcome);
    }

    Map<DocumentId, Outcome> outcomes() {
        return outcomes;
    }

    private Outcome outcome(DocumentId id) {
        Outcome known = outcomes.get(id);
        if (known != null) {
            return known;
        }
        List<Object> used = new ArrayList<>();
        Outcome result;
        try {
            Trouble place = placement.of(id);
            if (place != null) {
                throw place.exception();
            }
            result = new Outcome(rendered(id, used), null, used);
        } catch (TroubleException e) {
            result = new Outcome(null, e.trouble(), used.isEmpty() ? null : used);
        }
        outcomes.put(id, result);
        return result;
    }

    /* Checks all inputs first, then evaluates. */
    private Value rendered(DocumentId id, List<Object> used) throws TroubleException {
        DocumentId base = links.base(id);
        Value baseData = base == null ? null : read(base);
        List<Substitution> asked = documents.get(id).substitutions();
        for (int i = 0; i < asked.size(); i++) {
            DocumentId source = links.source(asked.get(i).source());
            if (source == null) {
                throw Trouble.of(ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND, ".metadata.substitutions[" + i + "].src")
                        .exception();
            }
            read(source);
        }
        for (DocumentId operator : links.operators(id)) {
            read(operator);
        }
        DocumentId governor = links.governor(id);
        Value schema = governor == null ? MapValue.EMPTY : read(governor);

        PlainDocument document = documents.get(id);
        used.add(document.tree());
        used.add(links.isInForce(id));
        used.add(base == null ? "no parent" : marked(baseData));
        used.add(governor == null ? "no schema" : marked(schema));
        for (Substitution substitution : document.substitutions()) {
            used.add(selected(substitution));
        }
        List<DocumentId> operators = inTurn(links.operators(id));
        for (DocumentId operator : operators) {
            used.add(List.of(operator, marked(list(read(operator)))));
        }

        Value data = layered(document, baseData);
        for (int i = 0; i < document.substitutions().size(); i++) {
            data = substituted(document.substitutions().get(i), i, data);
        }
        for (DocumentId operator : operators) {
            data = operated(operator, data);
        }
        if (links.isInForce(id)) {
            check(document, data, governor, schema);
        }
        return data.secretIf(document.isEncrypted());
    }

    private Value read(DocumentId id) throws TroubleException {
        Outcome outcome = outcome(id);
        if (outcome.isInTrouble()) {
            throw outcome.trouble().passedOnBy(id).exception();
        }
        return outcome.data();
    }

    private Value layered(PlainDocument document, Value base) throws TroubleException {
        Value data = base == null ? document.data() : base;
        limits.check(data);
        if (base != null) {
            for (int i = 0; i < document.actions().size(); i++) {
                String place = ".metadata.layeringDefinition.actions[" + i + "]";
                data = NaiveLayering.apply(document.actions().get(i), place, document.data(), data, limits.padding());
                limits.check(data);
            }
        }
        return data;
    }

    private Value substituted(Substitution substitution, int number, Value data) throws TroubleException {
        DocumentId source = links.source(substitution.source());
        NaiveSubstitution step = new NaiveSubstitution(substitution, number, source, limits);
        Value value = step.pick(step.select(read(source)));
        Value result = data;
        for (int i = 0; i < substitution.destinations().size(); i++) {
            result = step.write(i, value, result);
            limits.check(result);
        }
        return result;
    }

    /* The value, or the code of the problem with reading it. While it stays equal, no reader is evaluated again. */
    private Object selected(Substitution substitution) throws TroubleException {
        DocumentId source = links.source(substitution.source());
        try {
            return marked(new NaiveSubstitution(substitution, 0, source, limits).select(read(source)));
        } catch (TroubleException e) {
            return e.trouble().code();
        }
    }

    private Value operated(DocumentId operator, Value data) throws TroubleException {
        Value result = data;
        List<MapValue> operations = new NaiveOperations(list(read(operator))).operations();
        for (int i = 0; i < operations.size(); i++) {
            String place = ".data.operations[" + i + "]";
            try {
                result = NaiveOperations.apply(operations.get(i), result);
            } catch (NoWayException e) {
                throw Trouble.of(ProblemCode.OPERATION_FAILED, place, operator).exception();
            }
            limits.check(result, place, operator);
        }
        return result;
    }

    private List<DocumentId> inTurn(Set<DocumentId> operators) {
        List<DocumentId> result = new ArrayList<>(operators);
        result.sort(Comparator.comparing(
                        (DocumentId operator) -> order(outcome(operator).data()))
                .thenComparing(DocumentId::name)
                .thenComparing(operator -> operator));
        return result;
    }

    private static BigInteger order(Value data) {
        return ((MapValue) data).get("order") instanceof Num num ? new BigInteger(num.literal()) : BigInteger.ZERO;
    }

    private static Value list(Value data) {
        MapValue map = (MapValue) data;
        return map.has("operations") ? map.get("operations") : Null.NULL;
    }

    private void check(PlainDocument document, Value data, DocumentId governor, Value schema) throws TroubleException {
        if ((SECRETS.contains(document.id().schema()) && !(data instanceof Text))
                || (document.hasToBeSchema() && !SchemaBody.isSchema(data))) {
            throw invalid(ProblemCode.INVALID_DOCUMENT_FORMAT, ".data");
        }
        if (document.isOperations()) {
            checkOperations(document.id(), data);
        }
        if (document.isCollection() && NaiveDerivation.mistake(data) != null) {
            throw invalid(ProblemCode.INVALID_COLLECTION, NaiveDerivation.mistake(data));
        }
        if (document.kind() != null && document.kind().mistake(data) != null) {
            throw invalid(document.kind().codeOfMistake(), document.kind().mistake(data));
        }
        if (governor != null && !SchemaBody.isSchema(schema)) {
            throw Trouble.of(ProblemCode.INVALID_DOCUMENT_FORMAT, ".data", governor)
                    .exception();
        } else if (governor != null) {
            List<String> violations = new NaiveSchema((MapValue) schema).violations(data);
            if (!violations.isEmpty()) {
                throw Trouble.of(ProblemCode.INVALID_DOCUMENT_FORMAT, violations.get(0), governor)
                        .exception();
            }
        }
    }

    private void checkOperations(DocumentId id, Value data) throws TroubleException {
        if (!(data instanceof MapValue map)) {
            throw invalid(ProblemCode.INVALID_OPERATIONS, ".data");
        }
        if (PlainDocument.Target.of(data) == null) {
            throw invalid(ProblemCode.INVALID_OPERATIONS, ".data.target");
        }
        Value order = map.get("order");
        boolean ordered = order == null
                || order instanceof Null
                || (order instanceof Num num
                        && num.literal().matches("-?[0-9]+")
                        && new BigInteger(num.literal()).bitLength() < Long.SIZE);
        if (!ordered) {
            throw invalid(ProblemCode.INVALID_OPERATIONS, ".data.order");
        }
        int unreadable;
        try {
            unreadable = new NaiveOperations(list(data)).unreadable();
        } catch (IllegalArgumentException e) {
            throw invalid(ProblemCode.INVALID_OPERATIONS, ".data.operations");
        }
        if (unreadable >= 0) {
            throw invalid(ProblemCode.INVALID_OPERATIONS, ".data.operations[" + unreadable + "]");
        }
        if (!PlainDocument.Target.of(data).equals(links.target(id))) {
            throw invalid(ProblemCode.INVALID_OPERATIONS, ".data.target");
        }
    }

    private static TroubleException invalid(ProblemCode code, String path) {
        return Trouble.of(code, path).exception();
    }

    /* A rendered value with the order of its keys and its marks of secrets. */
    private static Object marked(Value value) {
        return List.of(JsonBytes.text(value), Secrets.marks(value));
    }
}
