package dev.strake.engine.derivation;

import dev.strake.engine.identity.DocumentId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is remembered of trees of templates between two evaluations of their owners: of all workspaces together, as much as
 * there is room for. It decides how much is worked out again, and never what comes out. Several threads may use it.
 */
public final class KeptTrees {

    /** Nothing is remembered. */
    public static final KeptTrees NONE = new KeptTrees(0);

    private final Store store;
    private final String workspace;

    private record Place(String workspace, DocumentId owner) {}

    /** @param bytes about how much heap all trees together may take; those used longest ago make room */
    public KeptTrees(long bytes) {
        this(new Store(bytes), "");
    }

    private KeptTrees(Store store, String workspace) {
        this.store = store;
        this.workspace = workspace;
    }

    /** The trees of a workspace, in the same memory. */
    public KeptTrees of(String other) {
        return new KeptTrees(store, other);
    }

    /** About how much heap all trees take that are remembered, of all workspaces, in bytes. */
    public long held() {
        return store.held();
    }

    /** The tree of an owner, new if none is remembered. Nobody else gets it until it is put back. */
    StackTree take(DocumentId owner) {
        return store.take(new Place(workspace, owner));
    }

    /** Remembers a tree, if there is room for it. */
    void put(DocumentId owner, StackTree tree) {
        store.put(new Place(workspace, owner), tree);
    }

    private static final class Store {

        private final long bytes;
        private final Map<Place, StackTree> trees = new LinkedHashMap<>();
        private long held;

        Store(long bytes) {
            this.bytes = bytes;
        }

        synchronized long held() {
            return held;
        }

        synchronized StackTree take(Place place) {
            StackTree tree = trees.remove(place);
            if (tree == null) {
                return new StackTree(bytes / 2);
            }
            held -= tree.bytes();
            return tree;
        }

        synchronized void put(Place place, StackTree tree) {
            if (tree.bytes() > bytes) {
                return;
            }
            StackTree other = trees.put(place, tree);
            held += tree.bytes() - (other == null ? 0 : other.bytes());
            for (Iterator<StackTree> eldest = trees.values().iterator(); held > bytes && eldest.hasNext(); ) {
                held -= eldest.next().bytes();
                eldest.remove();
            }
        }
    }
}
