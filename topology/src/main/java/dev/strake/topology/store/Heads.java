package dev.strake.topology.store;

import dev.strake.engine.workspace.Workspace;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The heads of the workspaces in use. A head that is unused for a while is dropped; the stores still have it. */
public final class Heads {

    private final StateReader stores;
    private final long idleMillis;
    private final Map<String, Held> held = new LinkedHashMap<>();

    private record Held(Workspace head, long usedAt) {}

    public Heads(StateReader stores, Duration idleAfter) {
        this.stores = stores;
        this.idleMillis = idleAfter.toMillis();
    }

    public Workspace get(String workspace, long now) {
        Held found = held.get(workspace);
        Workspace head = found == null ? stores.open(workspace) : found.head();
        if (head.revision() > 0) { // a workspace without revisions takes no room
            put(workspace, head, now);
        }
        return head;
    }

    /** Whether a workspace is held, so that nobody has to open it. */
    public boolean holds(String workspace) {
        return held.containsKey(workspace);
    }

    public void put(String workspace, Workspace head, long now) {
        held.put(workspace, new Held(head, now));
    }

    public void dropIdle(long now) {
        held.values().removeIf(each -> now - each.usedAt() >= idleMillis);
    }
}
