package dev.strake.engine.oracle;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.layering.Layering;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.OperationException;
import dev.strake.engine.operations.Operations;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.substitution.Substituting;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.engine.validation.DataSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Renders a whole set of documents from nothing, the way one would explain it: the oracle for the incremental engine.
 * Written after the description of Deckhand, with the same decisions where that leaves a choice, and with none of the
 * engine's graph, order, hashes or short cuts.
 */
public final class NaiveRenderer {

    private static final Set<String> SECRETS = Set.of(
            "Certificate",
            "CertificateKey",
            "CertificateAuthority",
            "CertificateAuthorityKey",
            "Passphrase",
            "PrivateKey",
            "PublicKey");

    /** Schemas by their bodies: compiling is slow, and no part of what is judged. */
    private static final Map<MapValue, DataSchema> COMPILED = new HashMap<>();

    private final Map<DocumentId, Document> documents = new TreeMap<>();
    private final Links links;
    private final RenderLimits limits;
    private final Map<DocumentId, Outcome> outcomes = new TreeMap<>();

    /**
     * @param documents with one identity each
     * @param limits of the data of one document
     */
    public NaiveRenderer(Collection<Document> documents, RenderLimits limits) {
        documents.forEach(document -> this.documents.put(document.id(), document));
        this.links = new Links(this.documents);
        this.limits = limits;
        this.documents.keySet().forEach(this::outcome);
    }

    /**
     * What became of one document.
     *
     * @param data null if it could not be rendered, or not read at all
     * @param code null if nothing is wrong
     * @param cause the other document where the trouble began; null if it is this one
     * @param used all that went into rendering it; null if it did not come to that
     */
    public record Outcome(Value data, ProblemCode code, DocumentId cause, List<Object> used) {

        boolean isInTrouble() {
            return code != null;
        }

        @Override
        public String toString() {
            return code == null ? "fine" : code.code() + (cause == null ? "" : " because of " + cause);
        }
    }

    /** Signals that a document cannot be rendered. */
    private static final class Trouble extends Exception {

        private static final long serialVersionUID = 1L;

        private final ProblemCode code;
        private final transient DocumentId cause;

        Trouble(ProblemCode code, DocumentId cause) {
            this.code = code;
            this.cause = cause;
        }
    }

    /** Whether there are documents, but nothing to layer them by. */
    public boolean lacksPolicy() {
        return !documents.isEmpty() && links.layers() == null;
    }

    public Map<DocumentId, Outcome> outcomes() {
        return outcomes;
    }

    /** The layers, the most general one first; null without a policy. */
    public List<String> layers() {
        return links.layers();
    }

    /** For each document, all others that can make a difference to it directly. */
    public Map<DocumentId, Set<DocumentId>> heeds() {
        Map<DocumentId, Set<DocumentId>> result = new TreeMap<>();
        documents.keySet().forEach(id -> result.put(id, links.heeds(id)));
        return result;
    }

    /** The documents in trouble, and with what. */
    public Map<DocumentId, ProblemCode> troubles() {
        Map<DocumentId, ProblemCode> result = new TreeMap<>();
        outcomes.forEach((id, outcome) -> {
            if (outcome.isInTrouble()) {
                result.put(id, outcome.code());
            }
        });
        return result;
    }

    /** The keys under which something should be rendered, but is in trouble. */
    public Set<DocumentKey> troubledKeys() {
        Set<DocumentKey> result = new TreeSet<>();
        outcomes.forEach((id, outcome) -> {
            if (outcome.isInTrouble() && links.isRendered(id)) {
                result.add(id.key());
            }
        });
        return result;
    }

    /** The rendered documents, without those in trouble. */
    public Map<DocumentKey, MapValue> rendered() {
        Map<DocumentKey, MapValue> result = new TreeMap<>();
        outcomes.forEach((id, outcome) -> {
            if (!outcome.isInTrouble() && links.isRendered(id)) {
                MapValue tree = documents.get(id).tree();
                result.put(
                        id.key(),
                        MapValue.builder()
                                .put("schema", tree.get("schema"))
                                .put("metadata", tree.get("metadata"))
                                .put("data", outcome.data())
                                .build());
            }
        });
        return result;
    }

    private Outcome outcome(DocumentId id) {
        Outcome known = outcomes.get(id);
        if (known != null) {
            return known;
        }
        List<Object> used = new ArrayList<>();
        Outcome result;
        try {
            checkPlace(id);
            Value data = render(id, used);
            result = new Outcome(data, null, null, used);
        } catch (Trouble e) {
            result = new Outcome(null, e.code, e.cause, used.isEmpty() ? null : used);
        }
        outcomes.put(id, result);
        return result;
    }

    private void checkPlace(DocumentId id) throws Trouble {
        if (!id.layer().isEmpty() && links.layers() != null && !links.layers().contains(id.layer())) {
            throw new Trouble(ProblemCode.INVALID_DOCUMENT_LAYER, null);
        }
        if (links.parentProblem(id) != null) {
            throw new Trouble(links.parentProblem(id), null);
        }
        if (!isReplacementInOrder(id)) {
            throw new Trouble(ProblemCode.INVALID_DOCUMENT_REPLACEMENT, null);
        }
        List<DocumentId> rivals =
                links.withKey(id.key()).stream().filter(links::isInForce).toList();
        if (rivals.size() > 1 && rivals.contains(id)) {
            throw new Trouble(ProblemCode.DUPLICATE_DOCUMENT_EXISTS, null);
        }
        if (leadsTo(id, id, new TreeSet<>())) {
            throw new Trouble(ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE, null);
        }
    }

    private boolean isReplacementInOrder(DocumentId id) {
        Document document = documents.get(id);
        if (document.isControl()) {
            return true;
        }
        DocumentId parent = links.parent(id);
        if (document.isReplacement()) {
            return parent != null
                    && parent.key().equals(id.key())
                    && (!documents.get(parent).isReplacement()
                            || documents.get(parent).isAbstract())
                    && links.replacements(parent).size() == 1;
        }
        boolean hasNamesake = links.withKey(id.key()).stream()
                .map(documents::get)
                .anyMatch(other -> !other.id().equals(id) && !other.isControl() && !other.isReplacement());
        return !hasNamesake && (parent == null || !parent.name().equals(id.name()));
    }

    private boolean leadsTo(DocumentId from, DocumentId target, Set<DocumentId> seen) {
        for (DocumentId next : links.reads(from)) {
            if (next.equals(target) || (seen.add(next) && leadsTo(next, target, seen))) {
                return true;
            }
        }
        return false;
    }

    private Value render(DocumentId id, List<Object> used) throws Trouble {
        Document document = documents.get(id);
        // First everything it reads has to be in order: the parent, then the sources one by one, then the schema.
        Value base = links.base(id) == null ? null : read(links.base(id));
        List<Value> sources = new ArrayList<>();
        for (Substitution substitution : document.substitutions()) {
            DocumentId source = links.source(substitution.source().document());
            if (source == null) {
                throw new Trouble(ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND, null);
            }
            sources.add(read(source));
        }
        Map<DocumentId, OperationsDocument> operators = new TreeMap<>();
        for (DocumentId operator : links.operators(id)) {
            operators.put(operator, operations(read(operator)));
        }
        DocumentId governor = links.isInForce(id) ? links.governor(id.schema()) : null;
        Value schema = governor == null ? MapValue.EMPTY : read(governor);

        used.add(document.tree());
        used.add(links.isInForce(id));
        used.add(base == null ? "no parent" : written(base));
        used.add(governor == null ? "no schema" : written(schema));
        for (int i = 0; i < sources.size(); i++) {
            used.add(written(select(document.substitutions().get(i), sources.get(i))));
        }
        List<DocumentId> inTurn = new ArrayList<>(operators.keySet());
        inTurn.sort(Comparator.comparing(
                        (DocumentId operator) -> operators.get(operator).order())
                .thenComparing(DocumentId::name)
                .thenComparing(operator -> operator));
        inTurn.forEach(
                operator -> used.add(List.of(operator, operators.get(operator).content())));
        try {
            Value data = base == null ? document.data() : base;
            for (int i = 0; base != null && i < document.actions().size(); i++) {
                data = Layering.apply(document.actions().get(i), i, document.data(), data, limits.budget());
            }
            checkSize(data);
            for (int i = 0; i < sources.size(); i++) {
                Substitution substitution = document.substitutions().get(i);
                Object value = select(substitution, sources.get(i));
                if (value instanceof ProblemCode code) {
                    throw new Trouble(code, null);
                }
                Value picked =
                        Substituting.pick(substitution.source(), i, (Value) value, id, limits.budget(), warning -> {});
                for (Substitution.Destination destination : substitution.destinations()) {
                    data = Substituting.write(destination, i, picked, data, id, limits.budget());
                }
                checkSize(data);
            }
            for (DocumentId operator : inTurn) {
                data = operated(operators.get(operator).operations(), data);
            }
            if (links.isInForce(id)) {
                checkData(id, data, (MapValue) schema);
            }
            return data;
        } catch (EvaluationException e) {
            throw new Trouble(e.toProblem(id).code(), null);
        }
    }

    private Value operated(Operations operations, Value data) throws Trouble {
        Value result = data;
        for (int i = 0; i < operations.items().size(); i++) {
            try {
                result = operations.applyOne(i, result, limits.budget());
            } catch (OperationException e) {
                throw new Trouble(e.toProblem("").code(), null);
            }
            checkSize(result);
        }
        return result;
    }

    private static OperationsDocument operations(Value data) throws Trouble {
        try {
            return OperationsDocument.of(data);
        } catch (EvaluationException e) {
            throw new Trouble(ProblemCode.INVALID_OPERATIONS, null);
        }
    }

    private Value read(DocumentId id) throws Trouble {
        Outcome outcome = outcome(id);
        if (outcome.isInTrouble()) {
            throw new Trouble(outcome.code(), outcome.cause() == null ? id : outcome.cause());
        }
        return outcome.data();
    }

    /* The value, or what is wrong with asking for it. */
    private static Object select(Substitution substitution, Value data) {
        try {
            Value value = Substituting.select(substitution.source(), data, RenderLimits.NONE.budget());
            return value == null ? ProblemCode.SUBSTITUTION_SOURCE_DATA_NOT_FOUND : value;
        } catch (PathSyntaxException e) {
            return ProblemCode.UNKNOWN_SUBSTITUTION_ERROR;
        }
    }

    /* What is rendered keeps the order of the keys that went into it. */
    private static Object written(Object used) {
        return used instanceof Value value ? new String(JsonBytes.of(value), StandardCharsets.UTF_8) : used;
    }

    private void checkSize(Value data) throws Trouble {
        if (JsonBytes.of(data).length > limits.bytes()) {
            throw new Trouble(ProblemCode.LIMIT_EXCEEDED, null);
        }
    }

    private void checkData(DocumentId id, Value data, MapValue schema) throws Trouble {
        String[] kind = id.schema().split("/", -1);
        boolean hasOperations = id.schema().equals(OperationsDocument.SCHEMA)
                && !documents.get(id).isControl();
        if (hasOperations && !operations(data).target().equals(links.target(id))) {
            throw new Trouble(ProblemCode.INVALID_OPERATIONS, null);
        }
        boolean secret = kind[0].equals("deckhand") && SECRETS.contains(kind[1]) && kind[2].equals("v1");
        boolean fits = (!secret || data instanceof Text)
                && (!links.governs(id) || compiled((MapValue) data) != null)
                && compiled(schema).check(data, RenderLimits.NONE.budget()).isEmpty();
        if (!fits) {
            throw new Trouble(ProblemCode.INVALID_DOCUMENT_FORMAT, null);
        }
    }

    /* Null for a body that is no schema. */
    private static DataSchema compiled(MapValue body) {
        return COMPILED.computeIfAbsent(body, schema -> {
            try {
                return DataSchema.of(schema, RenderLimits.DEFAULT.budget());
            } catch (IllegalArgumentException e) {
                return null;
            }
        });
    }
}
