package dev.strake.service.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Set;
import org.apache.kafka.streams.KafkaStreams;

/** The metrics of this process, in Prometheus's form. */
public final class Metrics implements AutoCloseable {

    /**
     * Of the some 1,250 meters of Kafka Streams those that a dashboard or an alert is built on. All of them would be a
     * scrape of 260 KB.
     */
    private static final Set<String> OF_KAFKA = Set.of(
            "kafka.stream.alive.stream.threads",
            "kafka.stream.failed.stream.threads",
            "kafka.stream.thread.process.rate",
            "kafka.stream.thread.process.latency.avg",
            "kafka.stream.thread.process.latency.max",
            "kafka.stream.thread.commit.latency.avg",
            "kafka.stream.thread.commit.latency.max",
            "kafka.stream.thread.commit.rate",
            "kafka.stream.thread.poll.records.avg",
            "kafka.stream.thread.task.created.total",
            "kafka.stream.thread.task.closed.total",
            "kafka.stream.task.dropped.records.total",
            "kafka.stream.task.active.process.ratio",
            "kafka.stream.state.total.sst.files.size",
            "kafka.stream.state.estimate.num.keys",
            "kafka.stream.state.block.cache.usage",
            "kafka.stream.state.size.all.mem.tables",
            "kafka.consumer.fetch.manager.records.lag.max",
            "kafka.consumer.fetch.manager.records.consumed.rate",
            "kafka.consumer.coordinator.rebalance.total",
            "kafka.consumer.coordinator.rebalance.latency.max",
            "kafka.producer.record.send.rate",
            "kafka.producer.record.error.total",
            "kafka.producer.txn.commit.time.ns.total",
            "kafka.producer.txn.abort.time.ns.total");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private KafkaStreamsMetrics ofStreams;

    public Metrics() {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public MeterFilterReply accept(Meter.Id id) {
                boolean wanted = !id.getName().startsWith("kafka.") || OF_KAFKA.contains(id.getName());
                return wanted ? MeterFilterReply.NEUTRAL : MeterFilterReply.DENY;
            }
        });
        new ClassLoaderMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    /** Shows the metrics of the pipeline too, until this is closed. */
    public void watch(KafkaStreams streams) {
        ofStreams = new KafkaStreamsMetrics(streams);
        ofStreams.bindTo(registry);
    }

    @Override
    public void close() {
        if (ofStreams != null) {
            ofStreams.close();
        }
        registry.close();
    }
}
