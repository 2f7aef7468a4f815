package dev.strake.server.metrics;

import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.server.pipeline.PipelineObserver;
import dev.strake.topology.observe.ProcessedChange;
import dev.strake.topology.observe.WorkspaceStatus;
import java.time.Clock;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.processor.StateRestoreListener;

/**
 * Updates metrics from the events of the pipeline. Changes count when their thread commits; the status of a workspace
 * counts at once.
 */
final class MetricsObserver implements PipelineObserver {

    private final ChangeMeters meters;
    private final WorkspacesHeld workspaces;
    private final Staleness staleness;
    private final RestoreProgress restores;
    private final Clock clock;

    /* A failing thread closes its tasks first, so its leftover entry is empty. */
    private final Set<OpenTransaction> transactions = ConcurrentHashMap.newKeySet();
    private final ThreadLocal<OpenTransaction> transaction = ThreadLocal.withInitial(() -> {
        OpenTransaction mine = new OpenTransaction();
        transactions.add(mine);
        return mine;
    });

    MetricsObserver(
            ChangeMeters meters,
            WorkspacesHeld workspaces,
            Staleness staleness,
            RestoreProgress restores,
            Clock clock) {
        this.meters = meters;
        this.workspaces = workspaces;
        this.staleness = staleness;
        this.restores = restores;
        this.clock = clock;
    }

    Iterable<OpenTransaction> transactions() {
        return transactions;
    }

    @Override
    public void opened(int partition, Collection<WorkspaceStatus> held) {
        transaction.get().forget(partition);
        workspaces.opened(partition, held);
    }

    @Override
    public void begun(int partition, ChangeEnvelope change) {
        long time = ProcessedChange.Times.waitingSince(change.timestamp(), clock.millis());
        transaction.get().begun(partition, change.workspace(), time);
    }

    @Override
    public void done(ProcessedChange change) {
        transaction.get().done(change);
        change.status().ifPresent(status -> workspaces.changed(change.partition(), status));
        if (change.times().record() > 0) { // otherwise its time is unknown
            staleness.processed(change.partition(), change.times().waitingSince());
        }
    }

    @Override
    public void committed() {
        meters.committed(transaction.get().end(), clock.millis(), System.nanoTime());
    }

    @Override
    public void aborted() {
        transaction.get().end();
    }

    @Override
    public void deadLetter() {
        transaction.get().deadLetter();
    }

    @Override
    public void pruned(int partition, WorkspaceStatus status) {
        workspaces.changed(partition, status);
    }

    @Override
    public void closed(int partition) {
        transaction.get().forget(partition);
        workspaces.closed(partition);
        staleness.closed(partition);
    }

    @Override
    public Optional<StateRestoreListener> restores() {
        return Optional.of(restores);
    }
}
