package dev.strake.remote.fetch;

import dev.strake.client.ChangePublisher;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.NewChange;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.remote.fetch.attempt.Attempt;
import dev.strake.remote.fetch.attempt.ChangeSink;
import dev.strake.remote.fetch.attempt.Memory;
import dev.strake.remote.fetch.attempt.Status;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.resource.ReferencedValues;
import dev.strake.remote.fetch.resource.RemoteResource;
import dev.strake.remote.fetch.source.ContentSource;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.rendered.RenderedKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of a turn: an attempt to fetch a resource, or a farewell if the resource is gone, followed by writes of
 * memory and status. Workers run it. Only the thread of the fetcher may change the state of resources, so changes by a
 * turn are queued until that thread applies them.
 */
final class Turns {

    /** Logs as the fetcher, the class that operators know. */
    private static final Logger LOG = LoggerFactory.getLogger(Fetcher.class);

    private final FetchSettings settings;
    private final FetchTopics topics;
    private final Map<RemoteResource.Backend, ContentSource> sources;
    private final FetchListener listener;
    private final Clock clock;
    private final BooleanSupplier isStopped;
    private final ConcurrentLinkedQueue<Runnable> finished = new ConcurrentLinkedQueue<>();
    private KafkaProducer<byte[], byte[]> producer;
    private RecordReader records;

    /** @param isStopped whether the fetcher is closing, so that failures are no faults */
    Turns(
            FetchSettings settings,
            Map<RemoteResource.Backend, ContentSource> sources,
            FetchListener listener,
            Clock clock,
            BooleanSupplier isStopped) {
        this.settings = settings;
        this.topics = FetchTopics.of(settings.kafka().prefix());
        this.sources = sources;
        this.listener = listener;
        this.clock = clock;
        this.isStopped = isStopped;
    }

    /** Starts a session with Kafka. */
    void begin(KafkaProducer<byte[], byte[]> writing, RecordReader again) {
        producer = writing;
        records = again;
    }

    /** Applies the results of finished turns. For the thread of the fetcher only. */
    void takeIn() {
        for (Runnable each = finished.poll(); each != null; each = finished.poll()) {
            each.run();
        }
    }

    /** Returns the work of one turn, to be run by a worker. It uses the state of the resource as of now. */
    Runnable of(Resources.Tracked one, Resources partition, int number) {
        return one.isGone ? farewell(one, partition) : attempt(one, partition, number);
    }

    private Runnable attempt(Resources.Tracked one, Resources partition, int number) {
        Optional<String> objection = partition.objection(one);
        if (objection.isPresent()) {
            String bucket = one.resource
                    .map(RemoteResource::bucket)
                    .or(() -> one.memory.map(Memory::bucket))
                    .orElse("");
            Status invalid =
                    Status.failed(bucket, List.of(), FetchException.Code.INVALID_RESOURCE.text(), objection.get());
            return () -> finish(partition, one, new Attempt.Result(invalid, one.memory), clock.instant());
        }
        RemoteResource resource = one.resource.orElseThrow();
        ReferencedValues.Documents documents =
                records.at(new TopicPartition(topics.rendered(), number), partition.offsets(resource));
        Optional<Memory> memory = one.memory;
        Attempt attempt = new Attempt(
                resource,
                memory,
                sources,
                new ReferencedValues(key -> documents.find(key).map(settings.secrets()::opened)),
                publishing(partition, resource.key().workspace()),
                settings.policy().maxBytes(),
                one.since);
        return () -> {
            Instant begin = clock.instant();
            Attempt.Result result;
            try {
                result = attempt.run();
                if (!result.memory().equals(memory) && result.memory().isPresent()) {
                    write(topics.memory(), one.key, result.memory().get().write());
                }
            } catch (RuntimeException | Error e) { // one failure must not stop others
                result = new Attempt.Result(broken(resource, e), memory);
            }
            finish(partition, one, result, begin);
        };
    }

    private Status broken(RemoteResource resource, Throwable e) {
        if (e instanceof KafkaUnavailableException || isStopped.getAsBoolean()) {
            return Status.failed(resource.bucket(), List.of(), "KafkaUnavailable", e.getMessage());
        }
        // The message of an unexpected exception may contain secrets.
        StackTraceElement[] trace = e.getStackTrace();
        LOG.error("{}: {} at {}", resource, e.getClass().getName(), trace.length == 0 ? "?" : trace[0]);
        return Status.failed(resource.bucket(), List.of(), "InternalError", "a fault in the fetcher, see its log");
    }

    private ChangeSink publishing(Resources partition, String workspace) {
        return new ChangeSink() {
            @Override
            public Outcome publish(NewChange change) {
                if (!partition.isOurs) {
                    throw new KafkaUnavailableException("another fetcher has the workspace now");
                }
                return Turns.this.publish(workspace, change);
            }

            @Override
            public MapValue sealed(MapValue document) {
                return settings.secrets().sealed(document, workspace);
            }
        };
    }

    private Outcome publish(String workspace, NewChange change) {
        try (ChangePublisher publisher = new ChangePublisher(
                settings.kafka().cluster(),
                settings.kafka().prefix(),
                workspace,
                settings.kafka().timeout())) {
            publisher.publish(change);
            return publisher.await(change.id(), pending -> {});
        }
    }

    private void write(String topic, RenderedKey key, byte[] value) {
        int partition = WorkspaceKey.partition(
                key.workspace(), producer.partitionsFor(topic).size());
        try {
            producer.send(new ProducerRecord<>(topic, partition, key.bytes(), value))
                    .get();
        } catch (ExecutionException e) {
            throw new KafkaUnavailableException(
                    "%s could not be written (%s)"
                            .formatted(topic, e.getCause().getClass().getSimpleName()),
                    e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (IllegalStateException e) { // the producer is closed
            throw new KafkaUnavailableException(topic + " is not written any more: this fetcher ends", e);
        }
    }

    private void finish(Resources partition, Resources.Tracked one, Attempt.Result result, Instant begin) {
        finished.add(() -> {
            one.isRunning = false;
            partition.remember(one, result.memory());
            boolean isFailed = result.status().state() == Status.State.FAILED;
            one.success = isFailed ? one.success : begin;
            long now = System.nanoTime();
            Duration next = one.isPlanned ? Duration.ZERO : partition.plan(one, isFailed, now);
            if (!one.isThere || !partition.isOurs) {
                partition.forget(one);
                return;
            }
            one.hasStatus = true;
            MapValue status = result.status()
                    .document(
                            one.key.document().name(),
                            begin,
                            one.success,
                            clock.instant().plus(next));
            write(topics.status(), one.key, JsonBytes.of(status));
            listener.attempted(one.key.workspace(), status);
        });
    }

    private Runnable farewell(Resources.Tracked one, Resources partition) {
        Optional<Memory> memory = one.memory;
        String name = one.key.document().name();
        return () -> {
            boolean isDone = false;
            try {
                ChangeSink publishing = publishing(partition, one.key.workspace());
                if (memory.isPresent()) {
                    Attempt.farewell(one.key.workspace(), name, memory.get()).ifPresent(publishing::publish);
                    write(topics.memory(), one.key, null);
                }
                write(topics.status(), one.key, null);
                isDone = true;
            } catch (RuntimeException e) { // a failed farewell must not block a worker
                LOG.warn(
                        "{} is gone, and its documents could not be removed yet: {}",
                        name,
                        e.getClass().getName());
            }
            boolean isOver = isDone;
            finished.add(() -> {
                one.isRunning = false;
                if (isOver) {
                    partition.remember(one, Optional.empty());
                    one.hasStatus = false;
                    one.success = null;
                    partition.forget(one);
                    listener.released(one.key.workspace(), name);
                } else {
                    partition.plan(one, true, System.nanoTime());
                }
            });
        };
    }
}
