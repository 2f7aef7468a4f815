package dev.strake.cli.offline;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.DerivedContents;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.render.Tracer;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.engine.validation.DataSchema;
import dev.strake.engine.workspace.Plan;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.secret.SealedData;
import dev.strake.topology.apply.AllProcessors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;

/**
 * Documents as a revision of a workspace that exists only here. The engine is the one that serves topics, so the
 * results are the same.
 */
public final class OfflineRevision {

    private static final String BUCKET = "default";
    private static final int MOST_NAMED = 10;

    private final Map<DocumentId, Document> documents = new HashMap<>();
    private final List<Problem> rejections;
    private final Update update;

    /**
     * Renders documents.
     *
     * @param renderer decides whether a document in trouble holds back the others
     */
    public OfflineRevision(List<Document> published, Renderer renderer) {
        this(Workspace.EMPTY, new Nothing(), published, renderer);
    }

    private OfflineRevision(Workspace before, Contents contents, List<Document> given, Renderer renderer) {
        List<Document> published = given.stream().map(OfflineRevision::unopened).toList();
        if (published.stream().anyMatch(document -> document.kind() == Kind.SCHEMA)) {
            ForkJoinPool.commonPool().execute(OfflineRevision::loadChecks);
        }
        AllProcessors.ON_DOCUMENTS.each(published, document -> document.data().fingerprint()); // cached for the plan
        Plan plan = Plan.bucketPut(before.graph(), BUCKET, published);
        published.forEach(document -> documents.put(document.id(), document));
        rejections = plan.rejections();
        Renderer all = renderer.publishingNothing().with(AllProcessors.ON_DOCUMENTS);
        update = rejections.isEmpty() ? before.apply(plan, contents, all, Tracer.NONE) : null;
    }

    /* Loads the library that validates data, while this thread creates the graph. Both take about the same time. */
    private static void loadChecks() {
        DataSchema.of(MapValue.of("type", "object"), RenderLimits.NONE.budget());
    }

    private static Document unopened(Document document) {
        MapValue tree = SealedData.unopened(document.tree());
        return tree.equals(document.tree())
                ? document
                : Document.ofValid(tree, document.origin().orElse(null));
    }

    /** Returns a problem about documents that only the service can decrypt; empty if there are none. */
    public static Optional<Problem> sealed(List<Document> documents) {
        List<DocumentId> sealed = documents.stream()
                .filter(document -> document.isEncrypted() && SealedData.isSealed(document.tree()))
                .map(Document::id)
                .toList();
        if (sealed.isEmpty()) {
            return Optional.empty();
        }
        String which = sealed.size() == 1 ? "is sealed" : sealed.size() + " documents are sealed";
        return Optional.of(Problem.of(
                        ProblemCode.SECRET_KEY_NOT_FOUND,
                        sealed.size() == 1 ? sealed.get(0) : null,
                        which
                                + ", and commands that read files have no key: one mask stands for all of the data, and what it "
                                + "reaches is not checked by schemas",
                        "use 'strake plan --url URL': the service decrypts sealed data")
                .relatedTo(sealed.subList(0, Math.min(MOST_NAMED, sealed.size()))));
    }

    /** Returns the next revision, in which these documents replace those of this revision. */
    public OfflineRevision next(List<Document> published, Renderer renderer) {
        return new OfflineRevision(head(), contents(), published, renderer);
    }

    /** The reasons to reject the documents. If there are any, there is no update. */
    public List<Problem> rejections() {
        return rejections;
    }

    /** The result of applying the documents. */
    public Update update() {
        return update;
    }

    public Workspace head() {
        return update.next();
    }

    /**
     * Returns the document that a key means: the one that renders under it, or the only one.
     *
     * @param layer if present, the document of this layer is meant
     */
    public Optional<DocumentId> find(DocumentKey key, Optional<String> layer) {
        return layer.isEmpty()
                ? Optional.ofNullable(head().graph().meant(key))
                : layer.map(key::in).filter(documents::containsKey);
    }

    /** Returns the document from which the document with this key is derived; empty if there is none. */
    public Optional<DocumentId> owner(DocumentKey key) {
        List<DocumentId> owners = head().derivations().deriving(key);
        return owners.size() == 1 ? Optional.of(owners.get(0)) : Optional.empty();
    }

    /** The documents, and what they rendered to. Thread-safe. */
    public Contents contents() {
        return new DerivedContents(head().graph(), new DerivedContents.Stored() {
            @Override
            public Document document(DocumentId id) {
                return documents.get(id);
            }

            @Override
            public Fingerprint hash(DocumentId id) {
                return null; // not needed: this process rendered the data a moment ago
            }

            @Override
            public Value data(DocumentId id) {
                return update.results().data().get(id);
            }

            @Override
            public void keep(DocumentId id, Value value) {
                // Data that derived documents need is in memory already. Other data is rarely needed twice.
            }
        });
    }

    /** The contents of an empty workspace. */
    private static final class Nothing implements Contents {

        @Override
        public Document document(DocumentId id) {
            throw new IllegalStateException("an empty workspace has no document");
        }

        @Override
        public Value data(DocumentId id) {
            throw new IllegalStateException("an empty workspace has no rendered data");
        }
    }
}
