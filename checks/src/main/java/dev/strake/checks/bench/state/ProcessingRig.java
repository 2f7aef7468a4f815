package dev.strake.checks.bench.state;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.server.pipeline.SharedRocksMemory;
import dev.strake.topology.RenderTopology;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.apply.ApplyChange;
import dev.strake.topology.apply.SharedMemory;
import dev.strake.topology.observe.ChangeObserver;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.DocumentCache;
import dev.strake.topology.store.LiveHeads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedForward;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * The processor with real stores and a mock context: measures a change without broker, network and commit.
 *
 * <p>Its clock advances by five milliseconds with each change, and punctuations run when due by that clock.
 */
final class ProcessingRig implements AutoCloseable {

    private static final long MILLIS_A_CHANGE = 5;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final MockProcessorContext<byte[], byte[]> context;
    private final List<KeyValueStore<Bytes, byte[]>> stores = new ArrayList<>();
    private final ApplyChange processor;
    private final IdentityHashMap<CapturedPunctuator, Long> due = new IdentityHashMap<>();
    private final String run = "run-" + System.nanoTime(); // ids differ from those of an earlier run on these stores
    private long now = System.currentTimeMillis();
    private int known;
    private long offset;
    private long punctuationsCpu;

    /**
     * The result and cost of one change.
     *
     * @param nanos wall-clock time from the record to its outcome
     * @param cpuNanos of this thread; a change of many documents also uses other threads
     */
    record Processed(Outcome outcome, long nanos, long cpuNanos) {}

    /** Opens the stores in a directory, or creates them. */
    ProcessingRig(Path directory, TopologySettings settings) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "strake");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092");
        config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, SharedRocksMemory.class.getName());
        context = new MockProcessorContext<>(config, new TaskId(0, 0), directory.toFile());
        for (String name : RenderTopology.STORES) {
            KeyValueStore<Bytes, byte[]> store = Stores.keyValueStoreBuilder(
                            Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                    .withLoggingDisabled()
                    .withCachingDisabled()
                    .build();
            store.init(context.getStateStoreContext(), store);
            context.addStateStore(store);
            stores.add(store);
        }
        processor = RenderTopology.processor(
                settings,
                ChangeObserver.NONE,
                new SharedMemory(new DocumentCache(settings.cacheBytes()), new LiveHeads()));
        context.setCurrentSystemTimeMs(now);
        processor.init(context);
    }

    /** Processes one change of documents up to its outcome. */
    Processed process(String workspace, ChangeType type, String bucket, byte[] body) {
        Headers headers = new RecordHeaders();
        headers.add(HeaderNames.CE_TYPE, type.text().getBytes(StandardCharsets.UTF_8));
        headers.add(HeaderNames.BUCKET, bucket.getBytes(StandardCharsets.UTF_8));
        context.resetForwards();
        headers.add(HeaderNames.CE_ID, (run + "-" + offset).getBytes(StandardCharsets.UTF_8));
        context.setRecordMetadata("strake.document-changes", 0, offset++);
        context.setCurrentSystemTimeMs(now);
        Record<String, byte[]> record = new Record<>(workspace, body, now, headers);
        long start = System.nanoTime();
        long before = THREADS.getCurrentThreadCpuTime();
        processor.process(record);
        long cpu = THREADS.getCurrentThreadCpuTime() - before;
        long nanos = System.nanoTime() - start;
        Outcome outcome = null;
        for (CapturedForward<? extends byte[], ? extends byte[]> forward : context.forwarded()) {
            if (forward.childName().orElseThrow().equals(ApplyChange.OUTCOMES_SINK)) {
                outcome = OutcomeJson.read(forward.record().value());
            }
        }
        now += MILLIS_A_CHANGE;
        punctuate();
        return new Processed(outcome, nanos, cpu);
    }

    /* The processor schedules another punctuation when it has something to prune, and cancels it when done. */
    private void punctuate() {
        List<CapturedPunctuator> all = context.scheduledPunctuators();
        all.subList(known, all.size()).forEach(each -> due.put(each, now + intervalOf(each)));
        known = all.size();
        due.keySet().removeIf(CapturedPunctuator::cancelled);
        due.replaceAll((punctuator, at) -> {
            if (at > now) {
                return at;
            }
            long before = THREADS.getCurrentThreadCpuTime();
            punctuator.getPunctuator().punctuate(now);
            punctuationsCpu += THREADS.getCurrentThreadCpuTime() - before;
            return now + intervalOf(punctuator);
        });
    }

    private static long intervalOf(CapturedPunctuator punctuator) {
        return punctuator.getInterval().toMillis();
    }

    /** Returns the CPU time of all punctuations so far, in nanoseconds. */
    long punctuationsCpu() {
        return punctuationsCpu;
    }

    /** Returns queries of the stores. */
    WorkspaceQueries queries() {
        return new WorkspaceQueries(context::getStateStore, new LiveHeads(), InstalledKeys.NONE);
    }

    /** Closes the stores, which can be opened again. */
    @Override
    public void close() {
        stores.forEach(KeyValueStore::close);
    }
}
