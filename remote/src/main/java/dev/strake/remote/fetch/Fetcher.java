package dev.strake.remote.fetch;

import dev.strake.client.ChangePublisher;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.remote.fetch.resource.RemoteResource;
import dev.strake.remote.fetch.resource.RepositoryFiles;
import dev.strake.remote.fetch.source.ContentSource;
import dev.strake.remote.fetch.source.HostedGit;
import dev.strake.remote.fetch.source.HttpSource;
import dev.strake.remote.fetch.source.RepositorySource;
import dev.strake.remote.fetch.source.S3Source;
import dev.strake.remote.fetch.source.UrlSource;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.rendered.RenderedRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the content that RemoteResources of all workspaces name, and publishes it. Fetchers of one group share the
 * partitions, and thereby the workspaces.
 *
 * <pre>
 *  rendered-documents ──┐  read from the beginning         ┌─ worker ─► source
 *  memory, status ──────┴─► one thread: which one is due? ─┼─ worker ─► document-changes, outcome ─► memory
 *                                    ▲                     └─ …              │
 *                                    └───────────── status ◄─────────────────┘
 * </pre>
 *
 * <p>No offsets are committed: a fetcher reads each assigned partition from the beginning. The topics are compacted,
 * and the state of a fetcher is small.
 */
public final class Fetcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Fetcher.class);
    private static final Duration POLL = Duration.ofMillis(100);
    /** Used while workers are busy, so that a waiting resource starts soon after a worker becomes free. */
    private static final Duration BUSY_POLL = Duration.ofMillis(10);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final Duration HAND_OVER = Duration.ofSeconds(60);

    /** The work of a killed fetcher waits this long. A false alarm only costs another read of the topics. */
    private static final Duration SESSION = Duration.ofSeconds(15);

    private static final Duration CLOSING = Duration.ofSeconds(10);
    private static final int RECORDS_A_POLL = 100;

    private final FetchSettings settings;
    private final FetchTopics topics;
    private final FetchListener listener;
    private final HttpSource http;
    private final Turns turns;
    private final ExecutorService workers;
    private final Map<Integer, Resources> partitions = new HashMap<>();
    private volatile boolean isStopped;
    private volatile KafkaConsumer<byte[], byte[]> consumer;

    public Fetcher(FetchSettings settings, FetchListener listener, Clock clock) {
        this.settings = settings;
        this.listener = listener;
        this.topics = FetchTopics.of(settings.kafka().prefix());
        this.http = new HttpSource(settings.policy());
        Map<RemoteResource.Backend, ContentSource> sources = new EnumMap<>(RemoteResource.Backend.class);
        sources.put(RemoteResource.Backend.GENERIC, new UrlSource(http));
        sources.put(RemoteResource.Backend.S3, new S3Source(http, clock));
        ContentSource hosted = new HostedGit(http);
        ContentSource repositories = new RepositorySource(http, settings.policy(), settings.state());
        sources.put(RemoteResource.Backend.GIT, question -> {
            boolean isHosted = question.request().git().orElseThrow().provider() != RepositoryFiles.Provider.GIT;
            return (isHosted ? hosted : repositories).fetch(question);
        });
        this.turns = new Turns(settings, sources, listener, clock, () -> isStopped);
        this.workers = Executors.newFixedThreadPool(TurnOrder.WORKERS, task -> {
            Thread thread = new Thread(task, "fetch");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Runs until the fetcher is closed or the thread is interrupted. Starts again if Kafka fails.
     *
     * @throws MisconfiguredException if Kafka rejects the settings
     */
    public void run() throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        while (!isStopped) {
            long begin = System.nanoTime();
            try {
                session();
            } catch (InterruptException e) {
                throw new InterruptedException();
            } catch (RejectedExecutionException e) {
                if (!isStopped) {
                    throw e;
                }
            } catch (KafkaException | KafkaUnavailableException e) {
                if (isStopped) {
                    return;
                }
                boolean hasWorked = System.nanoTime() - begin > LONGEST_PAUSE.toNanos();
                pause = hasWorked ? FIRST_PAUSE : pause;
                listener.failed(e, pause);
                Thread.sleep(pause.toMillis());
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            }
        }
    }

    private void session() {
        topics.create(settings.kafka().cluster(), settings.kafka().timeout());
        try (KafkaConsumer<byte[], byte[]> reading = consumer();
                KafkaProducer<byte[], byte[]> writing = ChangePublisher.producer(
                        settings.kafka().cluster(), settings.kafka().timeout());
                RecordReader again = new RecordReader(
                        settings.kafka().cluster(), settings.kafka().timeout())) {
            consumer = reading;
            turns.begin(writing, again);
            reading.subscribe(List.of(topics.rendered(), topics.status(), topics.memory()), new Assignments());
            boolean isBusy = false;
            while (!isStopped) {
                for (ConsumerRecord<byte[], byte[]> message : reading.poll(isBusy ? BUSY_POLL : POLL)) {
                    take(message);
                }
                load(reading);
                turns.takeIn();
                isBusy = !isStopped && start();
            }
        } catch (WakeupException e) {
            if (!isStopped) {
                throw e;
            }
        } finally {
            consumer = null;
            // Running attempts must not publish: the next session would use the same change ids.
            partitions.values().forEach(partition -> partition.isOurs = false);
            partitions.clear();
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        try {
            return new KafkaConsumer<>(
                    settings.kafka()
                            .cluster()
                            .with(Map.of(
                                    ConsumerConfig.GROUP_ID_CONFIG,
                                    settings.kafka().group(),
                                    ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                                    Math.toIntExact(SESSION.toMillis()),
                                    ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                                    "read_committed",
                                    ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                                    false,
                                    ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                                    false,
                                    ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                                    "earliest",
                                    ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                                    RECORDS_A_POLL,
                                    // assigns equal partitions of all topics to the same fetcher
                                    ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                                    RangeAssignor.class.getName())),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer());
        } catch (KafkaException e) {
            throw new MisconfiguredException("The settings are not valid for a consumer: " + e.getMessage(), e);
        }
    }

    private final class Assignments implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
            consumer.seekToBeginning(assigned);
            consumer.endOffsets(assigned)
                    .forEach((partition, end) -> partitions
                            .computeIfAbsent(
                                    partition.partition(), number -> new Resources(settings.interval(), new Random()))
                            .ends
                            .put(partition, end));
        }

        /* Waits for running attempts, so that the next owner of the partition reads their memory. */
        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            long deadline = System.nanoTime() + HAND_OVER.toNanos();
            for (TopicPartition each : revoked) {
                Resources partition = partitions.remove(each.partition());
                if (partition == null) {
                    continue;
                }
                while (partition.underWay.get() > 0 && System.nanoTime() - deadline < 0) {
                    pause();
                }
                partition.isOurs = false;
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> lost) {
            for (TopicPartition each : lost) {
                Resources partition = partitions.remove(each.partition());
                if (partition != null) {
                    partition.isOurs = false;
                }
            }
        }

        private void pause() {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
        Resources partition = partitions.get(message.partition());
        if (partition == null || message.key() == null) {
            return;
        }
        long now = System.nanoTime();
        try {
            RenderedKey key = RenderedKey.of(message.key());
            if (message.topic().equals(topics.rendered())) {
                if (Resources.isObject(key.document())) {
                    partition.object(key, message.value() != null, message.offset(), now);
                } else if (key.document().schema().equals(ObjectDocument.REMOTE_RESOURCE)) {
                    RenderedRecord record = RenderedRecord.read(message.key(), message.value(), message.headers());
                    partition.resource(settings.secrets().opened(record), now);
                }
            } else if (partition.isLoaded) {
                return; // written by this fetcher after the load
            } else if (message.topic().equals(topics.memory())) {
                partition.memory(key, message.value());
            } else {
                partition.status(key, message.value() != null, success(message.value()));
            }
        } catch (IllegalArgumentException e) {
            LOG.warn(
                    "Skipped {}-{}@{}: it is not a record of a fetcher",
                    message.topic(),
                    message.partition(),
                    message.offset());
        }
    }

    private static Optional<Instant> success(byte[] status) {
        if (status == null) {
            return Optional.empty();
        }
        try {
            MapValue document = (MapValue) JsonReader.read(status);
            String success = document.map("data").text("lastSuccess");
            return success.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(success));
        } catch (DateTimeParseException | ClassCastException e) {
            throw new IllegalArgumentException("no status", e);
        }
    }

    private void load(KafkaConsumer<byte[], byte[]> reading) {
        for (Resources partition : partitions.values()) {
            if (!partition.isLoaded
                    && partition.ends.size() == 3
                    && partition.ends.entrySet().stream()
                            .allMatch(end -> reading.position(end.getKey()) >= end.getValue())) {
                partition.loaded();
            }
        }
    }

    /** Returns whether any worker is busy now. */
    private boolean start() {
        List<TurnOrder.Turn> next = TurnOrder.next(partitions, System.nanoTime());
        for (TurnOrder.Turn turn : next) {
            turn.resource().isRunning = true;
            turn.resource().isPlanned = false;
            turn.partition().underWay.incrementAndGet();
            Runnable work = turns.of(turn.resource(), turn.partition(), turn.number());
            workers.execute(() -> {
                try {
                    work.run();
                } finally {
                    turn.partition().underWay.decrementAndGet();
                }
            });
        }
        return !next.isEmpty() || partitions.values().stream().anyMatch(partition -> partition.underWay.get() > 0);
    }

    /** Closes the fetcher. Running attempts get a short time to finish; the next fetcher repeats the others. */
    @Override
    public void close() {
        isStopped = true;
        KafkaConsumer<byte[], byte[]> reading = consumer;
        if (reading != null) {
            reading.wakeup();
        }
        workers.shutdown();
        http.close();
        try {
            if (!workers.awaitTermination(CLOSING.toSeconds(), TimeUnit.SECONDS)) {
                workers.shutdownNow();
            }
        } catch (InterruptedException e) {
            workers.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
