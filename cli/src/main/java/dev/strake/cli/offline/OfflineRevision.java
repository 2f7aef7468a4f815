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
import dev.strake.engine.tree.Text;
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
 * Some documents as a revision of a workspace that does not exist anywhere else. The engine is the one that serves
 * topics, so the answers are the same.
 */
public final class OfflineRevision {

    private static final String BUCKET = "default";
    private static final int MOST_NAMED = 10;

    private final Map<DocumentId, Document> documents = new HashMap<>();
    private final List<Problem> rejections;
    private final Update update;

    /**
     * Renders.
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
        AllProcessors.ON_DOCUMENTS.each(published, document -> document.data().fingerprint()); // kept for the plan
        Plan plan = Plan.bucketPut(before.graph(), BUCKET, published);
        published.forEach(document -> documents.put(document.id(), document));
        rejections = plan.rejections();
        Renderer all = renderer.publishingNothing().with(AllProcessors.ON_DOCUMENTS);
        update = rejections.isEmpty() ? before.apply(plan, contents, all, Tracer.NONE) : null;
    }

    /* The library that checks data takes as long to load as the graph takes to make, and is not needed before. */
    private static void loadChecks() {
        DataSchema.of(MapValue.of("type", new Text("object")), RenderLimits.NONE.budget());
    }

    private static Document unopened(Document document) {
        MapValue tree = SealedData.unopened(document.tree());
        return tree.equals(document.tree())
                ? document
                : Document.ofValid(tree, document.origin().orElse(null));
    }

    /** What is to be said about documents that only the service can open; empty if there are none. */
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
                        "ask the service: 'strake plan --url URL' opens sealed data")
                .relatedTo(sealed.subList(0, Math.min(MOST_NAMED, sealed.size()))));
    }

    /** The revision after this one if its documents were put in the place of these. */
    public OfflineRevision next(List<Document> published, Renderer renderer) {
        return new OfflineRevision(head(), contents(), published, renderer);
    }

    /** Why the documents would be rejected; there is nothing else then. */
    public List<Problem> rejections() {
        return rejections;
    }

    /** What applying the documents came to. */
    public Update update() {
        return update;
    }

    public Workspace head() {
        return update.next();
    }

    /**
     * The document that a key means: the one that is rendered under it, or the only one that there is.
     *
     * @param layer the one of this layer instead
     */
    public Optional<DocumentId> find(DocumentKey key, Optional<String> layer) {
        return layer.isEmpty()
                ? Optional.ofNullable(head().graph().meant(key))
                : layer.map(key::in).filter(documents::containsKey);
    }

    /** The document from which a document is derived; empty if none is derived under the key. */
    public Optional<DocumentId> owner(DocumentKey key) {
        List<DocumentId> owners = head().derivations().deriving(key);
        return owners.size() == 1 ? Optional.of(owners.get(0)) : Optional.empty();
    }

    /** The documents, and what they rendered to. Several threads may ask. */
    public Contents contents() {
        return new DerivedContents(head().graph(), new DerivedContents.Stored() {
            @Override
            public Document document(DocumentId id) {
                return documents.get(id);
            }

            @Override
            public Fingerprint hash(DocumentId id) {
                return null; // the program that rendered a moment ago would come to the same again
            }

            @Override
            public Value data(DocumentId id) {
                return update.results().data().get(id);
            }

            @Override
            public void keep(DocumentId id, Value value) {
                // What documents others are made from rendered to is at hand, and few ask for any other one twice.
            }
        });
    }

    /** The documents of a workspace without any. */
    private static final class Nothing implements Contents {

        @Override
        public Document document(DocumentId id) {
            throw new IllegalStateException("an empty workspace was asked for a document");
        }

        @Override
        public Value data(DocumentId id) {
            throw new IllegalStateException("an empty workspace was asked for rendered data");
        }
    }
}
