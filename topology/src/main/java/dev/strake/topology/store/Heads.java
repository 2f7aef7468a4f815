package dev.strake.topology.store;

import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.secret.SecretKeys;
import java.util.Set;

/** The heads of a task's workspaces: those in use from memory, others from the stores. */
public final class Heads {

    /** Estimated heap of a document of a head, and of a head without its documents. */
    private static final long DOCUMENT_BYTES = 1_024;

    private static final long HEAD_BYTES = 4_096;

    /** Estimated heap of a read or of a derived document. */
    private static final long DERIVATION_BYTES = 384;

    private final StateReader stores;
    private final LiveHeads live;
    private SecretKeys keys;
    private Set<Integer> missingKeys = Set.of();

    /**
     * @param live shared with all other tasks, and with readers
     */
    public Heads(StateReader stores, LiveHeads live) {
        this.stores = stores;
        this.live = live;
    }

    public Workspace get(String workspace) {
        dropIfKeysAreOthers();
        Workspace head = live.get(this, workspace);
        if (head == null) {
            head = stores.open(workspace);
            if (head.revision() > 0) { // a workspace without revisions is not cached
                put(workspace, head);
            }
        }
        return head;
    }

    /* A head depends on which keys are missing. A rotation alone does not change that. */
    private void dropIfKeysAreOthers() {
        SecretKeys present = stores.keys();
        if (present != keys) {
            Set<Integer> missing = stores.missingKeys();
            if (!missing.equals(missingKeys)) {
                close();
                missingKeys = missing;
            }
            keys = present;
        }
    }

    /** Whether the head of a workspace is in memory. */
    public boolean holds(String workspace) {
        return live.get(this, workspace) != null;
    }

    /** Stores the head that is now in use. The heads of other workspaces may be evicted. */
    public void put(String workspace, Workspace head) {
        long bytes = HEAD_BYTES
                + DOCUMENT_BYTES * head.graph().size()
                + DERIVATION_BYTES * head.derivations().entries();
        live.put(this, workspace, head, bytes);
    }

    /** Evicts all heads, because the task ends. */
    public void close() {
        live.removeAll(this);
    }
}
