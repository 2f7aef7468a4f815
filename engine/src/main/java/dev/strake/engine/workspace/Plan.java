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

    /** How many documents a warning names. */
    private static final int MOST_NAMED = 10;

    private final Graph graph;
    private final Map<DocumentId, Edit> edits = new LinkedHashMap<>();
    private final List<Problem> rejections = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();
    private boolean encrypts;

    private Plan(Graph graph) {
        this.graph = graph;
    }

    /** Replaces the content of a bucket: its documents that are not in the list are removed. */
    public static Plan bucketPut(Graph graph, String bucket, List<Document> documents) {
        return new Plan(graph).replaced(bucket, documents, Set.of());
    }

    /**
     * The same as Deckhand does it. The layering policy of the bucket stays if no document of the list is a policy: in
     * Deckhand, a policy stays in force for ever. A validation policy that is put again is an edit even
     * if nothing differs: in Deckhand each put makes a revision, and this one has to be validated again.
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
                        "stays in bucket " + bucket + ", though the change leaves it out",
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
                String message = "is not in bucket " + bucket + (facts == null ? "" : " but in " + facts.bucket())
                        + ", nothing was deleted";
                plan.warnings.add(Problem.of(ProblemCode.DOCUMENT_NOT_FOUND, id, message, null));
            }
        }
        return plan.checked();
    }

    /** Removes all documents, whatever their buckets. */
    public static Plan workspaceDelete(Graph graph) {
        Plan plan = new Plan(graph);
        graph.documents().stream().sorted().forEach(id -> plan.edits.put(id, Edit.REMOVAL));
        if (plan.edits.isEmpty()) {
            plan.warnings.add(Problem.of(
                    ProblemCode.WORKSPACE_NOT_FOUND,
                    "the workspace has no documents, nothing was deleted but its history, if it has one",
                    null));
        }
        return plan.checked();
    }

    /**
     * Brings documents back to an earlier state, whatever their buckets.
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
     * Makes the edits of an earlier change once more.
     *
     * @param edits all of them, those that altered nothing as well
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
                reject(id, "is there twice in this change", "keep one of the two");
            } else if (held != null && !held.bucket().equals(bucket)) {
                reject(id, "is already in bucket " + held.bucket(), "publish it there, or delete it there first");
            } else {
                Edit edit = Edit.of(document, bucket, place);
                if (held == null || !held.content().equals(edit.facts().content())) {
                    // The graph's own object is found faster in the graph than one that is equal to it.
                    DocumentId known = held == null ? id : held.id();
                    edits.put(known, edit.of(held != null));
                    rejectMasks(document);
                }
            }
        }
    }

    /*
     * What was read without its secrets and is published again would put masks in their place, for good. That is so of every document:
     * consumers get masks in documents that say cleartext, too.
     */
    private void rejectMasks(Document document) {
        Place mask = Redaction.maskIn(document.data());
        if (mask != null) {
            rejections.add(Problem.of(
                            ProblemCode.INVALID_DOCUMENT_FORMAT,
                            document.id(),
                            "has a mask or a ciphertext in the place of a value: it was read without its secrets",
                            "publish the value itself, which --cleartext-secrets reads; sealed is all of data or nothing")
                    .at(mask.equals(Place.ROOT) ? ".data" : ".data" + mask));
        }
    }

    private void reject(DocumentId id, String message, String hint) {
        rejections.add(Problem.of(ProblemCode.DUPLICATE_DOCUMENT_EXISTS, id, message, hint));
    }

    /* A workspace may have one layering policy after the change. */
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
                                    "is a second layering policy, and a workspace has one",
                                    "remove the other one in the same change")
                            .relatedTo(all)));
        }
        return this;
    }

    /** Says that there are keys, so what is to be encrypted will be. */
    public void encrypts() {
        encrypts = true;
    }

    /* Their authors ask for something that cannot be done without keys. */
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
                        (encrypted.size() == 1 ? "says" : encrypted.size() + " documents say")
                                + " storagePolicy: encrypted, and Strake does not encrypt without a keyset: the data is "
                                + "readable in stores and in the topic of rendered documents",
                        "make one with 'strake keys create', and set strake.secrets.keyset")
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

    /** Why the change is rejected; empty if it is not. */
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

    /** How many documents the workspace has after the change. */
    public int sizeAfter() {
        return graph.size() + count(Edit.Kind.ADDED) - count(Edit.Kind.REMOVED);
    }

    public int count(Edit.Kind kind) {
        return Edit.count(edits.values(), kind);
    }
}
