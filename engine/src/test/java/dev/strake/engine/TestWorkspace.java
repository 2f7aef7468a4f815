package dev.strake.engine;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.ParentDecision;
import dev.strake.engine.graph.Reason;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.DerivedContents;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.render.Tracer;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Emission;
import dev.strake.engine.workspace.Head;
import dev.strake.engine.workspace.Holdings;
import dev.strake.engine.workspace.Plan;
import dev.strake.engine.workspace.Records;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A workspace with its stores in memory: the parts of the topology around the engine, in twenty lines. */
public final class TestWorkspace implements Contents {

    private Renderer renderer;
    private final Map<DocumentId, Document> documents = new HashMap<>();
    private final Map<DocumentId, Value> atHand = new HashMap<>();
    private final Map<DocumentKey, MapValue> published = new TreeMap<>();
    private final Set<DocumentKey> secret = new TreeSet<>();
    private final Map<Tracer.Verdict, List<DocumentId>> trace = new EnumMap<>(Tracer.Verdict.class);
    private final List<DocumentId> derived = new ArrayList<>();
    private final Set<DocumentId> asked = new TreeSet<>();
    private Set<DocumentId> loaded = Set.of();
    private Workspace head = Workspace.EMPTY;

    public TestWorkspace() {
        this(Renderer.holdingRevisions());
    }

    public TestWorkspace(Renderer renderer) {
        this.renderer = renderer;
    }

    public Workspace head() {
        return head;
    }

    /** Uses another renderer from now on. */
    public void renderWith(Renderer other) {
        renderer = other;
    }

    /** Returns the workspace after a restart, built from stored entries only. */
    public TestWorkspace reopened() {
        return reopened(renderer);
    }

    /** As {@link #reopened()}, with other settings from then on. */
    public TestWorkspace reopened(Renderer other) {
        TestWorkspace result = new TestWorkspace(other);
        result.documents.putAll(documents);
        result.published.putAll(published);
        result.secret.addAll(secret);
        List<Head> heads = head.graph().documents().stream()
                .map(id -> new Head(head.graph().facts(id), head.evaluation(id)))
                .toList();
        heads.forEach(this::checkDecision);
        Holdings held = head.holdings();
        Graph graph = Head.graph(heads, id -> head.graph().parent(id));
        result.head = Workspace.restored(
                head.revision(),
                new Workspace.Rules(head.limits(), head.form()),
                graph,
                heads,
                head.derivations().all(),
                Holdings.of(held.held(), held.records(), held.digest(), held.revision()),
                Set.of());
        return result;
    }

    /* A stored head has to record how its parent was decided. Only a large graph reads that. */
    private void checkDecision(Head stored) {
        DocumentId id = stored.facts().id();
        ParentDecision decision = stored.decision(head.graph().parent(id));
        if (decision != null && !decision.equals(head.graph().node(id).decision())) {
            throw new AssertionError(
                    id + ": stored " + decision + " of " + head.graph().node(id).decision());
        }
    }

    /** The documents that consumers see. */
    public Map<DocumentKey, MapValue> published() {
        return published;
    }

    /** The documents that consumers see and that are marked as secret. */
    public Set<DocumentKey> secret() {
        return secret;
    }

    /** The documents with this verdict in the last change. */
    public List<DocumentId> decided(Tracer.Verdict verdict) {
        return trace.getOrDefault(verdict, List.of());
    }

    /** The owners that the last change evaluated. */
    public List<DocumentId> derived() {
        return derived;
    }

    /** The documents of the previous revision whose rendered data the last change read. */
    public Set<DocumentId> loaded() {
        return loaded;
    }

    public Update put(String bucket, MapValue... trees) {
        return apply(Plan.documentsPut(head.graph(), bucket, documents(List.of(trees))));
    }

    public Update putBucket(String bucket, List<MapValue> trees) {
        return apply(Plan.bucketPut(head.graph(), bucket, documents(trees)));
    }

    public Update delete(String bucket, DocumentId... ids) {
        return apply(Plan.documentsDelete(head.graph(), bucket, List.of(ids)));
    }

    public Update apply(Plan plan) {
        if (!plan.rejections().isEmpty()) {
            throw new RejectedException(plan.rejections());
        }
        trace.clear();
        derived.clear();
        asked.clear();
        Update update = head.apply(plan, this, renderer, new Tracer() {
            @Override
            public void decided(DocumentId id, Reason reason, Verdict verdict) {
                trace.computeIfAbsent(verdict, v -> new ArrayList<>()).add(id);
            }

            @Override
            public void derived(DocumentId owner, DocumentId cause, Verdict verdict) {
                derived.add(owner);
            }
        });
        loaded = Set.copyOf(asked);
        update.edits().forEach((id, edit) -> {
            if (edit.kind() == Edit.Kind.REMOVED) {
                documents.remove(id);
            } else {
                documents.put(id, edit.document());
            }
        });
        head = update.next();
        atHand.clear();
        Records records = new Records(head, this);
        for (Emission emission : update.emissions()) {
            secret.remove(emission.key());
            if (emission.isRemoval()) {
                published.remove(emission.key());
            } else {
                published.put(emission.key(), records.record(emission.key()));
                if (records.isSecret(emission.key())) {
                    secret.add(emission.key());
                }
            }
        }
        return update;
    }

    @Override
    public Document document(DocumentId id) {
        return documents.get(id);
    }

    @Override
    public Value data(DocumentId id) {
        asked.add(id);
        Workspace now = head;
        return new DerivedContents(now.graph(), new DerivedContents.Stored() {
                    @Override
                    public Document document(DocumentId each) {
                        return documents.get(each);
                    }

                    @Override
                    public Fingerprint hash(DocumentId each) {
                        return now.evaluation(each).data();
                    }

                    @Override
                    public Value data(DocumentId each) {
                        return atHand.get(each);
                    }

                    @Override
                    public void keep(DocumentId each, Value value) {
                        atHand.put(each, value);
                    }
                })
                .data(id);
    }

    public Map<DocumentId, Document> documents() {
        return documents;
    }

    private static List<Document> documents(List<MapValue> trees) {
        List<Document> result = new ArrayList<>();
        for (MapValue tree : trees) {
            try {
                result.add(Document.of(tree));
            } catch (DocumentFormatException e) {
                throw new RejectedException(e.problems());
            }
        }
        return result;
    }

    /** Thrown if a change is rejected as a whole. */
    public static final class RejectedException extends RuntimeException {

        private final List<Problem> problems;

        RejectedException(List<Problem> problems) {
            super(problems.toString());
            this.problems = problems;
        }

        public List<Problem> problems() {
            return problems;
        }
    }
}
