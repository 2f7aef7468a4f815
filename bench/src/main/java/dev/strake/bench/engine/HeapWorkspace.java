package dev.strake.bench.engine;

import dev.strake.bench.DocumentSets;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.render.Tracer;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Plan;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.text.JsonValues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A workspace with everything on the heap: what the engine costs without any store. A change is worked out and not
 * taken over, so it finds the same head however often it is measured.
 */
final class HeapWorkspace implements Contents {

    private static final String BUCKET = "bench";
    private static final Renderer RENDERER = Renderer.holdingRevisions();

    private final Map<DocumentId, Document> documents = new HashMap<>();
    private final Map<DocumentId, Value> data = new HashMap<>();
    private final Workspace head;

    HeapWorkspace(DocumentSets set) {
        List<Document> all = fresh(set.all());
        Update update = first(all);
        all.forEach(document -> documents.put(document.id(), document));
        data.putAll(update.data());
        head = update.next();
    }

    Workspace head() {
        return head;
    }

    Update put(List<Document> changed) {
        return head.apply(Plan.documentsPut(head.graph(), BUCKET, changed), this, RENDERER, Tracer.NONE);
    }

    /** The first change of a workspace: everything is rendered. */
    static Update first(List<Document> all) {
        Plan plan = Plan.bucketPut(Workspace.EMPTY.graph(), BUCKET, all);
        Update update = Workspace.EMPTY.apply(plan, NOTHING, RENDERER, Tracer.NONE);
        if (update.status() == Update.Status.FAILED) {
            throw new IllegalStateException(
                    "the set does not render: " + update.next().problems(1));
        }
        return update;
    }

    /** Documents as they come off the wire: trees remember their hashes, and these have none to remember yet. */
    static List<Document> fresh(List<MapValue> trees) {
        return trees.stream()
                .map(tree -> Document.ofValid((MapValue) JsonValues.read(JsonBytes.of(tree))))
                .toList();
    }

    @Override
    public Document document(DocumentId id) {
        return documents.get(id);
    }

    @Override
    public Value data(DocumentId id) {
        Value rendered = data.get(id);
        if (rendered == null && !head.graph().rendersAsPublished(id)) {
            throw new IllegalStateException(id + " was nobody's base or source when it was rendered");
        }
        return rendered == null ? documents.get(id).data() : rendered;
    }

    private static final Contents NOTHING = new Contents() {
        @Override
        public Document document(DocumentId id) {
            throw new IllegalStateException("an empty workspace was asked for a document");
        }

        @Override
        public Value data(DocumentId id) {
            throw new IllegalStateException("an empty workspace was asked for rendered data");
        }
    };
}
