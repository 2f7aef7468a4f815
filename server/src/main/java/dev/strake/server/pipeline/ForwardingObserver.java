package dev.strake.server.pipeline;

import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.topology.observe.ProcessedChange;
import dev.strake.topology.observe.WorkspaceStatus;
import java.util.Collection;
import java.util.Optional;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** An observer before another one: that hears all, too. */
public abstract class ForwardingObserver implements PipelineObserver {

    private final PipelineObserver next;

    protected ForwardingObserver(PipelineObserver next) {
        this.next = next;
    }

    @Override
    public void opened(int partition, Collection<WorkspaceStatus> workspaces) {
        next.opened(partition, workspaces);
    }

    @Override
    public String takenUp(int partition, ChangeEnvelope change) {
        return next.takenUp(partition, change);
    }

    @Override
    public void processed(ProcessedChange change) {
        next.processed(change);
    }

    @Override
    public void changed(int partition, WorkspaceStatus status) {
        next.changed(partition, status);
    }

    @Override
    public void pruned(int partition, int entries) {
        next.pruned(partition, entries);
    }

    @Override
    public void closed(int partition) {
        next.closed(partition);
    }

    @Override
    public void committed() {
        next.committed();
    }

    @Override
    public void aborted() {
        next.aborted();
    }

    @Override
    public void deadLetter() {
        next.deadLetter();
    }

    @Override
    public Optional<StateRestoreListener> restores() {
        return next.restores();
    }
}
