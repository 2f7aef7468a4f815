package dev.strake.bench.state;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.server.pipeline.PipelineObserver;
import dev.strake.server.pipeline.SharedRocksMemory;
import dev.strake.topology.RenderTopology;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.apply.ApplyChange;
import dev.strake.topology.apply.SharedMemory;
import dev.strake.topology.history.Pruning;
import dev.strake.topology.observe.ChangeObserver;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.LiveHeads;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
 * The processor with its real stores, driven by hand: what a change costs beside broker, network and commit.
 *
 * <p>Its clock goes on by five milliseconds with each change, and punctuations come when they are due by that clock.
 */
public final class ProcessingRig implements AutoCloseable {

    /** What a step of pruning may take, in nanoseconds. */
    public static final long LONGEST_STEP = Pruning.Step.SHORT.nanos();

    private static final long MILLIS_A_CHANGE = 5;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final MockProcessorContext<byte[], byte[]> context;
    private final List<KeyValueStore<Bytes, byte[]>> stores = new ArrayList<>();
    private final ApplyChange processor;
    private final PipelineObserver observer;
    private final IdentityHashMap<CapturedPunctuator, Long> due = new IdentityHashMap<>();
    private final String run = "run-" + System.nanoTime(); // ids differ from those of an earlier run on these stores
    private long now = System.currentTimeMillis();
    private int known;
    private long offset;
    private long bytesPut;
    private long longestPunctuation;
    private long collectingInLongest;
    private long longestPunctuationCpu;
    private long punctuationsCpu;
    private int punctuations;

    /**
     * What one change took and gave.
     *
     * @param nanos on the clock, from the record to its outcome
     * @param cpuNanos of this thread; a change that reaches many documents has others work for it as well
     * @param publishedBytes of rendered records, keys and values
     */
    public record Processed(Outcome outcome, long nanos, long cpuNanos, long publishedBytes) {}

    /**
     * Opens the stores in a directory, or makes them.
     *
     * @param counting whether to count what is put into the stores; costs some time for each access
     */
    public ProcessingRig(Path directory, TopologySettings settings, boolean counting) {
        this(directory, settings, counting, null);
    }

    /**
     * The same, watched at work.
     *
     * @param observer hears of every change, and that it is committed, within the time that is measured; null for none
     */
    public ProcessingRig(Path directory, TopologySettings settings, boolean counting, PipelineObserver observer) {
        this.observer = observer;
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
            context.addStateStore(counting ? counted(store) : store);
            stores.add(store);
        }
        processor = RenderTopology.processor(
                settings,
                observer == null ? ChangeObserver.NONE : observer,
                SharedMemory.of(settings.memory(), settings.intake().limits(), 1, new LiveHeads()));
        context.setCurrentSystemTimeMs(now);
        processor.init(context);
    }

    @SuppressWarnings("unchecked") // the proxy has exactly this interface
    private KeyValueStore<Bytes, byte[]> counted(KeyValueStore<Bytes, byte[]> store) {
        return (KeyValueStore<Bytes, byte[]>) Proxy.newProxyInstance(
                ProcessingRig.class.getClassLoader(), new Class<?>[] {KeyValueStore.class}, (proxy, method, args) -> {
                    if (method.getName().startsWith("put") || method.getName().equals("delete")) {
                        bytesPut += ((Bytes) args[0]).get().length;
                        bytesPut += args.length > 1 && args[1] != null ? ((byte[]) args[1]).length : 0;
                    }
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Processes one change of documents, to its outcome. */
    public Processed process(String workspace, ChangeType type, String bucket, byte[] body) {
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
        if (observer != null) {
            observer.committed();
        }
        long cpu = THREADS.getCurrentThreadCpuTime() - before;
        long nanos = System.nanoTime() - start;
        Outcome outcome = null;
        long published = 0;
        for (CapturedForward<? extends byte[], ? extends byte[]> forward : context.forwarded()) {
            String sink = forward.childName().orElseThrow();
            byte[] value = forward.record().value();
            if (sink.equals(ApplyChange.OUTCOMES_SINK)) {
                outcome = OutcomeJson.read(value);
            } else if (sink.equals(ApplyChange.RENDERED_SINK)) {
                published += forward.record().key().length + (value == null ? 0 : value.length);
            }
        }
        now += MILLIS_A_CHANGE;
        punctuate();
        return new Processed(outcome, nanos, cpu, published);
    }

    /* The processor schedules more when it has something to prune, and cancels that when it is done. */
    private void punctuate() {
        List<CapturedPunctuator> all = context.scheduledPunctuators();
        all.subList(known, all.size()).forEach(each -> due.put(each, now + intervalOf(each)));
        known = all.size();
        due.keySet().removeIf(CapturedPunctuator::cancelled);
        due.replaceAll((punctuator, at) -> {
            if (at > now) {
                return at;
            }
            long collecting = collecting();
            long start = System.nanoTime();
            long before = THREADS.getCurrentThreadCpuTime();
            punctuator.getPunctuator().punctuate(now);
            long cpu = THREADS.getCurrentThreadCpuTime() - before;
            punctuationsCpu += cpu;
            punctuations++;
            longestPunctuationCpu = Math.max(longestPunctuationCpu, cpu);
            long nanos = System.nanoTime() - start;
            if (nanos > longestPunctuation) {
                longestPunctuation = nanos;
                collectingInLongest = collecting() - collecting;
            }
            return now + intervalOf(punctuator);
        });
    }

    private static long collecting() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    private static long intervalOf(CapturedPunctuator punctuator) {
        return punctuator.getInterval().toMillis();
    }

    /** Bytes of keys and values put so far; 0 unless they are counted. */
    public long bytesPut() {
        return bytesPut;
    }

    /** The longest time in nanoseconds for which a punctuation kept changes waiting. */
    public long longestPunctuation() {
        return longestPunctuation;
    }

    /** Milliseconds of that in which the JVM stopped everything to collect garbage. */
    public long collectingInLongestPunctuation() {
        return collectingInLongest;
    }

    /** The most CPU time in nanoseconds that a punctuation took: what of that is not for others on the machine. */
    public long longestPunctuationCpu() {
        return longestPunctuationCpu;
    }

    /** How many punctuations there were so far. */
    public int punctuations() {
        return punctuations;
    }

    /** The CPU time in nanoseconds of all punctuations so far. */
    public long punctuationsCpu() {
        return punctuationsCpu;
    }

    /** Questions to the stores. */
    public WorkspaceQueries queries() {
        return new WorkspaceQueries(context::getStateStore);
    }

    /** Closes the stores; they can be opened again. */
    @Override
    public void close() {
        stores.forEach(KeyValueStore::close);
    }
}
