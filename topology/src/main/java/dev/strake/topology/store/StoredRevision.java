package dev.strake.topology.store;

import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.GraphUpdate;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.DerivedContents;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.store.DocumentsLayout;
import dev.strake.serdes.store.RenderedLayout.Rendering;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A whole revision, read from the stores at once: all its documents and their renderings. The rendered data is derived
 * again from the documents.
 */
public final class StoredRevision implements DerivedContents.Stored {

    private final Map<DocumentId, Document> documents = new HashMap<>();
    private final Map<DocumentId, Rendering> renderings = new HashMap<>();
    private final Map<DocumentId, Facts> facts = new LinkedHashMap<>();
    private final Map<DocumentId, Value> data = new HashMap<>();

    /** Reads a revision. If it is pruned meanwhile, documents may be missing. */
    public StoredRevision(StateReader state, String workspace, long revision) {
        for (DocumentId id : state.documentsSince(workspace, revision)) {
            DocumentsLayout.Entry entry = state.documentAsOf(workspace, id, revision);
            if (!entry.isRemoved()) {
                documents.put(id, entry.document());
                facts.put(id, Facts.of(entry.document(), entry.bucket()));
                Rendering rendering = state.renderingAsOf(workspace, id, revision);
                renderings.put(id, rendering);
                if (rendering.data(entry.document()) != null) {
                    data.put(id, rendering.data(entry.document()));
                }
            }
        }
    }

    /** The rendered documents, in order of schema and name; documents in trouble are left out. */
    public List<MapValue> rendered() {
        Contents contents = contents();
        SortedMap<DocumentKey, MapValue> result = new TreeMap<>();
        renderings.forEach((id, rendering) -> {
            if (rendering.isInOrder()) {
                result.put(id.key(), document(id).rendered(contents.data(id)));
            }
        });
        return List.copyOf(result.values());
    }

    /** The documents, and the rendered data of all documents that are not in trouble. */
    public Contents contents() {
        return new DerivedContents(GraphUpdate.of(facts), this);
    }

    @Override
    public Document document(DocumentId id) {
        return documents.get(id);
    }

    @Override
    public Fingerprint hash(DocumentId id) {
        return renderings.get(id).data();
    }

    @Override
    public Value data(DocumentId id) {
        return data.get(id);
    }

    @Override
    public void keep(DocumentId id, Value value) {
        data.put(id, value);
    }
}
