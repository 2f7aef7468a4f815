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

/** Takes down what the pipeline tells: changes wait for the commit of their thread, how workspaces stand does not. */
final class MetricsObserver implements PipelineObserver {

    private final ChangeMeters meters;
    private final WorkspacesHeld workspaces;
    private final Staleness staleness;
    private final FanOuts fanOuts;
    private final RestoreProgress restores;
    private final Clock clock;

    /* A thread that dies closes its tasks first, so what is left of it here is empty. */
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
            FanOuts fanOuts,
            RestoreProgress restores,
            Clock clock) {
        this.meters = meters;
        this.workspaces = workspaces;
        this.staleness = staleness;
        this.fanOuts = fanOuts;
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
    public String takenUp(int partition, ChangeEnvelope change) {
        long time = ProcessedChange.waitingSince(change.timestamp(), clock.millis());
        transaction.get().takenUp(partition, change.workspace(), time);
        return change.carried().traceparent();
    }

    @Override
    public void processed(ProcessedChange change) {
        transaction.get().processed(change);
        if (change.recordTime() > 0) { // else it tells nothing of the records that are left
            staleness.processed(change.partition(), change.waitingSince());
        }
    }

    @Override
    public void committed() {
        OpenTransaction.Content content = transaction.get().end();
        long now = clock.millis();
        meters.committed(content, now, System.nanoTime());
        content.changes().stream()
                .filter(ProcessedChange::madeRevision)
                .forEach(change -> fanOuts.add(change.outcome().work().affected(), now));
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
    public void changed(int partition, WorkspaceStatus status) {
        workspaces.changed(partition, status);
    }

    @Override
    public void pruned(int partition, int entries) {
        transaction.get().pruned(entries);
    }

    @Override
    public void closed(int partition) {
        transaction.get().forget(partition);
        workspaces.closed(partition);
        restores.closed(partition);
        staleness.closed(partition);
    }

    @Override
    public Optional<StateRestoreListener> restores() {
        return Optional.of(restores);
    }
}
