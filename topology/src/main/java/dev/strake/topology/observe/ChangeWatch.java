package dev.strake.topology.observe;

import dev.strake.engine.render.Tracer;
import dev.strake.engine.workspace.Update;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Watches one task for an observer: measures the times of the current change, and maintains the statuses of the task's
 * workspaces. Does nothing if there is no observer.
 */
public final class ChangeWatch {

    /** The stages of a change, which is in exactly one stage at any time. */
    public enum Stage {
        DECODE,
        COMMIT_REVISION,
        RENDER
    }

    private final ChangeObserver observer;
    private final boolean observed;
    private final int partition;
    private final Map<String, WorkspaceStatus> statuses = new HashMap<>();

    // The current change. It has no separate object, because a task processes one change after the other.
    private Stage stage;
    private long since;
    private long decodeNanos;
    private long revisionNanos;
    private long renderNanos;
    private long recordTime;
    private long takenUp;
    private Update.Work work;
    private WorkspaceStatus status;
    private Costliest costliest;

    public ChangeWatch(ChangeObserver observer, int partition) {
        this.observer = observer;
        this.observed = observer != ChangeObserver.NONE;
        this.partition = partition;
    }

    /** Reports that the task starts, with the statuses in its stores. */
    public void opened(WorkspaceStatuses stored) {
        if (observed) {
            List<WorkspaceStatus> all = stored.read();
            all.forEach(status -> statuses.put(status.workspace(), status));
            observer.opened(partition, all);
        }
    }

    /**
     * Starts the clock of a change that will have an outcome.
     *
     * @param time the time of its record, in milliseconds; 0 if the change is answered without a new record
     */
    public void start(long time) {
        if (observed) {
            recordTime = time;
            takenUp = System.currentTimeMillis(); // the clock of Streams only advances with each poll
            decodeNanos = 0;
            revisionNanos = 0;
            renderNanos = 0;
            work = Update.Work.NONE;
            status = null;
            costliest = new Costliest();
            stage = Stage.DECODE;
            since = System.nanoTime();
        }
    }

    /** Reports the change to the observer. */
    public void begun(ChangeEnvelope change) {
        observer.begun(partition, change);
    }

    /** Returns a tracer that records the engine's work for the change. */
    public Tracer tracer() {
        return observed ? costliest : Tracer.NONE;
    }

    /** Enters another stage, to which the time from now on is added. */
    public void enter(Stage next) {
        if (observed) {
            long now = System.nanoTime();
            switch (stage) {
                case DECODE -> decodeNanos += now - since;
                case COMMIT_REVISION -> revisionNanos += now - since;
                case RENDER -> renderNanos += now - since;
            }
            since = now;
            stage = next;
        }
    }

    /** Records that the change has made a revision. */
    public void revised(String workspace, Update update, Revision revision) {
        if (observed) {
            work = update.work();
            WorkspaceStatus before = statuses.get(workspace);
            status = (before == null ? WorkspaceStatus.empty(workspace) : before).after(update, revision);
            statuses.put(workspace, status);
        }
    }

    /** Reports the outcome of the change. */
    public void done(Outcome outcome) {
        if (observed) {
            enter(stage);
            observer.done(new ProcessedChange(
                    partition,
                    outcome,
                    Optional.ofNullable(status),
                    work,
                    new ProcessedChange.Times(recordTime, takenUp, since, decodeNanos, revisionNanos, renderNanos),
                    costliest.found()));
        }
    }

    /** Reports that the history of a workspace now begins at another revision. */
    public void historyBegins(String workspace, long revision) {
        WorkspaceStatus before = statuses.get(workspace);
        if (before != null) {
            WorkspaceStatus after = before.withHistoryFrom(revision);
            statuses.put(workspace, after);
            observer.pruned(partition, after);
        }
    }

    public void closed() {
        observer.closed(partition);
    }
}
