package dev.strake.topology.store;

import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.secret.SecretKeys;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The heads of the workspaces in use. A head that is unused for a while is dropped, and so are those used longest ago if
 * all heads together take more than their budget; the stores still have them.
 */
public final class Heads {

    /** Estimates: what a document of a head takes, and what a head takes beside its documents. */
    private static final long DOCUMENT_BYTES = 1_024;

    private static final long HEAD_BYTES = 4_096;

    /** What a read or a derived document takes. */
    private static final long DERIVATION_BYTES = 384;

    private final StateReader stores;
    private final long idleMillis;
    private final CacheBudget budget;
    private final LiveHeads live;
    private final Map<String, Held> held = new LinkedHashMap<>(16, 0.75f, true);
    private long size;
    private SecretKeys keys;
    private Set<Integer> missingKeys = Set.of();

    private record Held(Workspace head, long usedAt) {

        long bytes() {
            return HEAD_BYTES
                    + DOCUMENT_BYTES * head.graph().size()
                    + DERIVATION_BYTES * head.derivations().entries();
        }
    }

    /**
     * @param budget shared with the heads of all other tasks
     * @param live where other threads find the heads
     */
    public Heads(StateReader stores, Duration idleAfter, CacheBudget budget, LiveHeads live) {
        this.stores = stores;
        this.idleMillis = idleAfter.toMillis();
        this.budget = budget;
        this.live = live;
    }

    public Workspace get(String workspace, long now) {
        dropIfKeysAreOthers();
        Held found = held.get(workspace);
        Workspace head = found == null ? stores.open(workspace) : found.head();
        if (head.revision() > 0) { // a workspace without revisions takes no room
            put(workspace, head, now);
        }
        return head;
    }

    /* A head says what cannot be decrypted. A rotation does not change that. */
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

    /** Whether a workspace is held, so that nobody has to open it. */
    public boolean holds(String workspace) {
        return held.containsKey(workspace);
    }

    /** Holds a head, which is now the one in use. Others may be dropped for it. */
    public void put(String workspace, Workspace head, long now) {
        Held added = new Held(head, now);
        Held before = held.put(workspace, added);
        if (before == null || before.head() != head) {
            live.put(workspace, head);
        }
        count(added.bytes() - (before == null ? 0 : before.bytes()));
        while (held.size() > 1 && budget.isExceeded(size)) { // the last one is the one in use
            dropOldest();
        }
    }

    /** Drops heads that nobody has used for a while, and those beyond this task's share if the budget is scarce. */
    public void tidy(long now) {
        while (!held.isEmpty() && now - held.values().iterator().next().usedAt() >= idleMillis) {
            dropOldest();
        }
        long enough = budget.afterPause(size);
        while (held.size() > 1 && size > enough) { // a single head would only have to be opened again
            dropOldest();
        }
    }

    /** Drops everything, because the task ends. */
    public void close() {
        held.forEach((workspace, each) -> live.remove(workspace, each.head()));
        held.clear();
        count(-size);
    }

    private void dropOldest() {
        Iterator<Map.Entry<String, Held>> all = held.entrySet().iterator();
        Map.Entry<String, Held> oldest = all.next();
        live.remove(oldest.getKey(), oldest.getValue().head());
        long bytes = oldest.getValue().bytes();
        all.remove();
        count(-bytes);
    }

    /** The number of heads held. */
    int size() {
        return held.size();
    }

    private void count(long bytes) {
        size += bytes;
        budget.use(bytes);
    }
}
