package dev.strake.topology.apply;

import dev.strake.engine.render.DataSchemas;
import dev.strake.engine.render.Renderer;
import dev.strake.topology.history.Pruning;
import dev.strake.topology.layout.ChangesLayout;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.observe.ChangeObserver;
import dev.strake.topology.observe.ChangeWatch;
import dev.strake.topology.observe.WorkspaceStatuses;
import dev.strake.topology.store.Heads;
import dev.strake.topology.store.Rewrap;
import dev.strake.topology.store.StateReader;
import dev.strake.topology.store.StateWriter;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;

/** The state of the processor while its task is open, created whenever Streams opens the task. */
final class Task {

    final ProcessorContext<byte[], byte[]> context;
    final Renderer renderer;
    final StateReader state;
    final StateWriter writer;
    final AppliedChanges applied;
    final IncompleteChanges incomplete;
    final Heads heads;
    final Publisher publisher;
    final Pruning pruning;
    final RevisionTags tags;
    final PostedResults results;
    final ChangeWatch watch;
    final Upkeep upkeep;
    private final SharedMemory shared;

    /**
     * @param keys the keys for one unit of work
     * @param late rejects a change whose parts did not arrive in time
     */
    Task(
            ProcessorContext<byte[], byte[]> context,
            ApplyChange.Settings settings,
            KeysOfChange keys,
            ChangeObserver observer,
            SharedMemory shared,
            Upkeep.Late late) {
        this.context = context;
        this.shared = shared;
        RenderRules rules = settings.rendering();
        renderer = new Renderer(rules.holdDocuments(), rules.limits(), new DataSchemas(), AllProcessors.ON_DOCUMENTS);
        state = new StateReader(context::getStateStore, keys);
        writer = new StateWriter(context::getStateStore, keys);
        KeyValueStore<Bytes, byte[]> changes = context.getStateStore(ChangesLayout.STORE);
        applied = new AppliedChanges(changes, settings.intake(), settings.topicId());
        incomplete = new IncompleteChanges(changes, settings.intake(), keys);
        heads = new Heads(state, shared.live());
        publisher = new Publisher(context, settings.secrets().cleartextTopic());
        watch = new ChangeWatch(observer, context.taskId().partition());
        pruning = new Pruning(
                context::getStateStore, settings.retention(), shared.live().leases(), Pruning.Step.SHORT, watch);
        tags = new RevisionTags(state.history(), writer, pruning, settings.intake());
        results = new PostedResults(state.history(), writer);
        watch.opened(new WorkspaceStatuses(state, context.getStateStore(RevisionsLayout.STORE)));
        Rewrap rewrap = new Rewrap(context.taskId().partition(), context::getStateStore, state, keys);
        upkeep = new Upkeep(context, applied, incomplete, heads, pruning, rewrap, keys, late);
    }

    void close() {
        upkeep.close();
        forgetHeap();
        watch.closed();
    }

    void forgetHeap() {
        shared.documents().close(state);
        heads.close();
    }
}
