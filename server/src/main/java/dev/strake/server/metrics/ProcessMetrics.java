package dev.strake.server.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Set;

/**
 * A registry in Prometheus format. Of Kafka's and the JVM's metrics it exposes those that dashboards and alerts use.
 */
public final class ProcessMetrics implements AutoCloseable {

    /** Selected from about 1,250 meters of Kafka Streams and its clients; all of them would make a scrape of 260 KB. */
    static final Set<String> OF_KAFKA = Set.of(
            "kafka.stream.alive.stream.threads",
            "kafka.stream.failed.stream.threads",
            "kafka.stream.thread.process.rate",
            "kafka.stream.thread.process.latency.avg",
            "kafka.stream.thread.process.latency.max",
            "kafka.stream.thread.commit.latency.avg",
            "kafka.stream.thread.commit.latency.max",
            "kafka.stream.thread.commit.rate",
            "kafka.stream.thread.poll.records.avg",
            "kafka.stream.thread.task.closed.total",
            "kafka.stream.task.dropped.records.total",
            "kafka.stream.task.active.process.ratio",
            "kafka.stream.state.total.sst.files.size",
            "kafka.stream.state.estimate.num.keys",
            "kafka.stream.state.block.cache.usage",
            "kafka.stream.state.size.all.mem.tables",
            "kafka.consumer.fetch.manager.records.lag.max",
            "kafka.consumer.fetch.manager.records.consumed.rate",
            "kafka.consumer.incoming.byte.total",
            "kafka.consumer.coordinator.rebalance.total",
            "kafka.consumer.coordinator.rebalance.latency.max",
            "kafka.producer.record.send.rate",
            "kafka.producer.record.error.total",
            "kafka.producer.txn.commit.time.ns.total",
            "kafka.producer.txn.abort.time.ns.total");

    static final Set<String> OF_JVM = Set.of(
            "disk.free",
            "disk.total",
            "jvm.classes.loaded",
            "jvm.gc.live.data.size",
            "jvm.gc.max.data.size",
            "jvm.gc.memory.allocated",
            "jvm.gc.pause",
            "jvm.memory.committed",
            "jvm.memory.max",
            "jvm.memory.used",
            "jvm.threads.live",
            "jvm.threads.peak",
            "jvm.threads.states",
            "process.cpu.time",
            "process.cpu.usage",
            "process.files.max",
            "process.files.open",
            "process.start.time",
            "process.uptime",
            "system.cpu.count",
            "system.cpu.usage",
            "system.load.average.1m");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();

    public ProcessMetrics() {
        registry.config().meterFilter(MeterFilter.denyUnless(ProcessMetrics::isShown));
        List<MeterBinder> jvm = List.of(
                new ClassLoaderMetrics(),
                new JvmMemoryMetrics(),
                new JvmThreadMetrics(),
                new ProcessorMetrics(),
                new UptimeMetrics(),
                new FileDescriptorMetrics(),
                gc);
        jvm.forEach(each -> each.bindTo(registry));
    }

    private static boolean isShown(Meter.Id id) {
        String name = id.getName();
        return name.startsWith("strake") || OF_KAFKA.contains(name) || OF_JVM.contains(name);
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }
}
