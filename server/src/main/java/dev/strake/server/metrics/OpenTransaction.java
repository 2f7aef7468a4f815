package dev.strake.server.metrics;

import dev.strake.topology.observe.ProcessedChange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * What one stream thread has done since its last commit: changes that count when it commits, and the change in
 * progress. The stream thread writes; other threads read to compute staleness.
 */
final class OpenTransaction {

    private final List<ProcessedChange> processed = new ArrayList<>();
    private int partition;
    private String workspace;
    private long waitingSince;
    private int deadLetters;

    /** What counts after a commit. */
    record Committed(List<ProcessedChange> changes, int deadLetters) {}

    synchronized void begun(int inPartition, String inWorkspace, long time) {
        partition = inPartition;
        workspace = inWorkspace;
        waitingSince = time;
    }

    synchronized void done(ProcessedChange change) {
        workspace = null;
        processed.add(change);
    }

    synchronized void deadLetter() {
        deadLetters++;
    }

    synchronized Committed end() {
        Committed content = new Committed(List.copyOf(processed), deadLetters);
        processed.clear();
        workspace = null;
        deadLetters = 0;
        return content;
    }

    /** The thread lost a task: another thread repeats the uncommitted work. */
    synchronized void forget(int ofPartition) {
        processed.removeIf(change -> change.partition() == ofPartition);
        if (partition == ofPartition) {
            workspace = null;
        }
    }

    /** Passes each uncommitted change to the action, with its workspace and the time since when it has waited. */
    synchronized void forEach(ObjLongConsumer<String> action) {
        if (workspace != null) {
            action.accept(workspace, waitingSince);
        }
        for (ProcessedChange change : processed) {
            action.accept(change.outcome().workspace(), change.times().waitingSince());
        }
    }
}
