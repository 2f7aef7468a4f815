package dev.strake.engine.workspace;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * The edits that a change makes to the documents of a workspace, or the reasons why it is rejected. A document belongs to
 * the bucket that holds it until it is deleted from that bucket.
 */
public final class Plan {

    /** The maximum number of documents that a warning names. */
    private static final int MOST_NAMED = 10;

    private final Graph graph;
    private final Map<DocumentId, Edit> edits = new LinkedHashMap<>();
    private final List<Problem> rejections = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();
    private boolean encrypts;

    private Plan(Graph graph) {
        this.graph = graph;
    }

    /** Replaces the content of a bucket: documents of the bucket that are not in the list are removed. */
    public static Plan bucketPut(Graph graph, String bucket, List<Document> documents) {
        return new Plan(graph).replaced(bucket, documents, Set.of());
    }

    /**
     * As {@link #bucketPut}, by the rules of Deckhand. The bucket keeps its layering policy if the list has none: in
     * Deckhand, a policy stays in force for ever. A validation policy that is put again is an edit even if it is
     * unchanged: in Deckhand, each put makes a revision, and this revision has to be validated again.
     */
    public static Plan bucketPutAsDeckhand(Graph graph, String bucket, List<Document> documents) {
        boolean hasPolicy = documents.stream()
                .anyMatch(document -> Kind.isPolicy(document.id().schema()));
        Plan plan = new Plan(graph).replaced(bucket, documents, hasPolicy ? Set.of() : graph.policies());
        plan.renewValidationPolicies(bucket, documents);
        return plan;
    }

    private void renewValidationPolicies(String bucket, List<Document> documents) {
        for (int place = 0; place < documents.size(); place++) {
            Document document = documents.get(place);
            Facts held = graph.facts(document.id());
            if (Kind.isValidationPolicy(document.id().schema())
                    && held != null
                    && held.bucket().equals(bucket)) {
                edits.putIfAbsent(held.id(), Edit.of(document, bucket, place).of(true));
            }
        }
    }

    private Plan replaced(String bucket, List<Document> documents, Collection<DocumentId> kept) {
        put(bucket, documents);
        Set<DocumentId> named = new HashSet<>();
        documents.forEach(document -> named.add(document.id()));
        for (DocumentId held : graph.bucket(bucket)) {
            if (kept.contains(held)) {
                warnings.add(Problem.of(
                        ProblemCode.LAYERING_POLICY_KEPT,
                        held,
                        "stays in bucket " + bucket + ", although the change does not contain it",
                        "publish it with the other documents, or delete it by name"));
            } else if (!named.contains(held)) {
                edits.put(held, Edit.REMOVAL);
            }
        }
        return checked();
    }

    /** Adds documents to a bucket or replaces them; its other documents stay. */
    public static Plan documentsPut(Graph graph, String bucket, List<Document> documents) {
        Plan plan = new Plan(graph);
        plan.put(bucket, documents);
        return plan.checked();
    }

    /** Removes documents from a bucket, with a warning for each that it does not hold. */
    public static Plan documentsDelete(Graph graph, String bucket, Collection<DocumentId> documents) {
        Plan plan = new Plan(graph);
        for (DocumentId id : documents) {
            Facts facts = graph.facts(id);
            if (facts != null && facts.bucket().equals(bucket)) {
                plan.edits.put(id, Edit.REMOVAL);
            } else {
                String message = "is not in bucket " + bucket + (facts == null ? "" : ", but in " + facts.bucket())
                        + "; nothing was deleted";
                plan.warnings.add(Problem.of(ProblemCode.DOCUMENT_NOT_FOUND, id, message, null));
            }
        }
        return plan.checked();
    }

    /** Removes all documents, in all buckets. */
    public static Plan workspaceDelete(Graph graph) {
        Plan plan = new Plan(graph);
        graph.documents().stream().sorted().forEach(id -> plan.edits.put(id, Edit.REMOVAL));
        if (plan.edits.isEmpty()) {
            plan.warnings.add(Problem.of(
                    ProblemCode.WORKSPACE_NOT_FOUND,
                    "the workspace has no documents, so only its history was deleted, if it has any",
                    null));
        }
        return plan.checked();
    }

    /**
     * Restores documents to an earlier state, in all buckets.
     *
     * @param states the state to restore for each document, as an edit; a removal for a document that did not exist
     */
    public static Plan restore(Graph graph, Map<DocumentId, Edit> states) {
        return states(
                graph,
                states,
                (now, restored) ->
                        now.content().equals(restored.content()) && now.bucket().equals(restored.bucket()));
    }

    /**
     * Repeats the edits of an earlier change.
     *
     * @param edits all edits, including those that changed nothing
     */
    public static Plan repeat(Graph graph, Map<DocumentId, Edit> edits) {
        return states(graph, edits, (now, edited) -> false);
    }

    private static Plan states(Graph graph, Map<DocumentId, Edit> states, BiPredicate<Facts, Facts> isSame) {
        Plan plan = new Plan(graph);
        states.forEach((id, state) -> {
            Facts now = graph.facts(id);
            if (state.facts() == null) {
                if (now != null) {
                    plan.edits.put(id, Edit.REMOVAL);
                }
            } else if (now == null || !isSame.test(now, state.facts())) {
                plan.edits.put(id, state.of(now != null));
            }
        });
        return plan.checked();
    }

    private void put(String bucket, List<Document> documents) {
        Set<DocumentId> seen = new HashSet<>();
        for (int place = 0; place < documents.size(); place++) {
            Document document = documents.get(place);
            DocumentId id = document.id();
            Facts held = graph.facts(id);
            if (!seen.add(id)) {
                reject(id, "occurs twice in this change", "remove one of the two");
            } else if (held != null && !held.bucket().equals(bucket)) {
                reject(id, "is already in bucket " + held.bucket(), "publish it there, or delete it there first");
            } else {
                Edit edit = Edit.of(document, bucket, place);
                if (held == null || !held.content().equals(edit.facts().content())) {
                    // The graph finds its own object faster than an equal one.
                    DocumentId known = held == null ? id : held.id();
                    edits.put(known, edit.of(held != null));
                    rejectMasks(document);
                }
            }
        }
    }

    /*
     * A document that was read without its secrets has masks in their places. If it were published, the secrets would
     * be lost. Documents that say cleartext are checked, too, because consumers also get masks in these.
     */
    private void rejectMasks(Document document) {
        Place mask = Redaction.maskIn(document.data());
        if (mask != null) {
            rejections.add(Problem.of(
                            ProblemCode.INVALID_DOCUMENT_FORMAT,
                            document.id(),
                            "has a mask or ciphertext instead of a value, because it was read without its secrets",
                            "publish the value itself, which --cleartext-secrets reads; only data as a whole can be sealed")
                    .at(mask.equals(Place.ROOT) ? ".data" : ".data" + mask));
        }
    }

    private void reject(DocumentId id, String message, String hint) {
        rejections.add(Problem.of(ProblemCode.DUPLICATE_DOCUMENT_EXISTS, id, message, hint));
    }

    /* Rejects the plan if the workspace would have several layering policies after the change. */
    private Plan checked() {
        Set<DocumentId> policies = new HashSet<>(graph.policies());
        edits.forEach((id, edit) -> {
            if (edit.kind() == Edit.Kind.REMOVED) {
                policies.remove(id);
            } else if (edit.facts().claims().layerOrder() != null) {
                policies.add(id);
            }
        });
        if (policies.size() > 1) {
            List<DocumentId> all = policies.stream().sorted().toList();
            all.stream()
                    .filter(edits::containsKey)
                    .forEach(id -> rejections.add(Problem.of(
                                    ProblemCode.SINGLETON_DOCUMENT_CONFLICT,
                                    id,
                                    "is a second layering policy, but a workspace has only one",
                                    "remove the other one in the same change")
                            .relatedTo(all)));
        }
        return this;
    }

    /** Declares that there are keys, so that data marked as encrypted will be encrypted. */
    public void encrypts() {
        encrypts = true;
    }

    /* Warns of documents that say encrypted, which is impossible without keys. */
    private List<Problem> ofEncrypted() {
        List<DocumentId> encrypted = new ArrayList<>(0);
        edits.forEach((id, edit) -> {
            if (edit.document() != null && edit.document().isEncrypted()) {
                encrypted.add(id);
            }
        });
        if (encrypted.isEmpty()) {
            return List.of();
        }
        return List.of(Problem.of(
                        ProblemCode.NOT_ENCRYPTED,
                        encrypted.size() == 1 ? encrypted.get(0) : null,
                        (encrypted.size() == 1 ? "has" : encrypted.size() + " documents have")
                                + " storagePolicy: encrypted, but there is no keyset: the data is stored and published "
                                + "unencrypted",
                        "make a keyset with 'strake keys create', and set strake.secrets.keyset")
                .relatedTo(encrypted.subList(0, Math.min(MOST_NAMED, encrypted.size()))));
    }

    /** The edits by document; empty if the change alters nothing. */
    public Map<DocumentId, Edit> edits() {
        return edits;
    }

    /** The new facts of each document that is added or changed by a revision; null for a removed one. */
    Map<DocumentId, Facts> facts(long revision) {
        Map<DocumentId, Facts> facts = new LinkedHashMap<>();
        edits.forEach((id, edit) ->
                facts.put(id, edit.facts() == null ? null : edit.facts().since(revision)));
        return facts;
    }

    /** The documents that are added or changed. */
    Map<DocumentId, Document> documents() {
        Map<DocumentId, Document> documents = new HashMap<>();
        edits.forEach((id, edit) -> {
            if (edit.document() != null) {
                documents.put(id, edit.document());
            }
        });
        return documents;
    }

    /** Why the change is rejected; empty if it is accepted. */
    public List<Problem> rejections() {
        return rejections;
    }

    public List<Problem> warnings() {
        if (encrypts) {
            return warnings;
        }
        List<Problem> all = new ArrayList<>(warnings);
        all.addAll(ofEncrypted());
        return all;
    }

    /** The number of documents in the workspace after the change. */
    public int sizeAfter() {
        return graph.size() + count(Edit.Kind.ADDED) - count(Edit.Kind.REMOVED);
    }

    public int count(Edit.Kind kind) {
        return Edit.count(edits.values(), kind);
    }
}
