package dev.strake.server.pipeline;

import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.server.kafka.TopicSet;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.WorkSettings;
import dev.strake.topology.RenderTopology;
import dev.strake.topology.store.LiveHeads;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running instance of the pipeline.
 *
 * <p>A failure that Kafka may recover from (an unavailable broker, a fenced producer) ends only a thread, which is
 * replaced. Any other failure is a bug or broken state. It stops the instance and is thrown by {@link #awaitEnd},
 * because to continue would skip a change.
 */
public final class Pipeline implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

    /**
     * The longest time that {@link #close} takes: a little more than one transaction. Whatever stops the process has to
     * wait longer. Uncommitted work is repeated after the next start, as after a kill.
     */
    public static final Duration LONGEST_CLOSE = Duration.ofSeconds(80);

    private final KafkaStreams streams;
    private final Topology topology;
    private final PipelineSettings settings;
    private final int partitions;
    private final Placement placement;
    private final Unwritten.First unwritten;
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private Pipeline(
            KafkaStreams streams,
            Topology topology,
            PipelineSettings settings,
            int partitions,
            LiveHeads live,
            InstalledKeys keys,
            Unwritten.First unwritten) {
        this.unwritten = unwritten;
        this.streams = streams;
        this.topology = topology;
        this.settings = settings;
        this.partitions = partitions;
        this.placement = new Placement(
                streams, partitions, live, keys, settings.settings().get(Catalogue.HTTP_ADVERTISED));
    }

    public static Pipeline start(PipelineSettings settings, PipelineObserver observer) {
        return start(settings, InstalledKeys.NONE, observer);
    }

    /**
     * Checks the topics and starts. Returns before tasks are assigned and state is restored; see the probes.
     *
     * @throws MisconfiguredException if a reserved setting is set, topics are wrong, existing state was lost, or the
     *     data directory cannot be used
     * @throws KafkaUnavailableException if the cluster does not answer, or denies required access
     * @throws PipelineFailedException if the state of an earlier run cannot be opened
     */
    public static Pipeline start(PipelineSettings settings, InstalledKeys keys, PipelineObserver observer) {
        Properties streamsSettings = StreamsSettings.of(settings); // checked before the cluster is contacted
        DataDirectory data = DataDirectory.of(settings);
        data.refuseUnusable();
        TopicSet topics = new TopicSet(settings.topicPrefix(), settings.applicationId(), settings.minInSync());
        Cluster kafka = settings.kafka().cluster();
        boolean cleartextTopic = topics.addCleartext(
                kafka, settings.settings().get(Catalogue.SECRETS_OUTPUT).equals("cleartext"));
        int partitions = topics.ensure(kafka, settings.settings().get(Catalogue.PARTITIONS), settings.replication());
        boolean startsEmpty = new StateGuard(settings).check(settings.settings().get(Catalogue.ACCEPT_EMPTY_STATE));
        String changesId = topics.changesId(kafka);
        LiveHeads live = new LiveHeads();
        GroupCommit commits = commits(settings, streamsSettings);
        Topology topology = RenderTopology.build(
                WorkSettings.of(settings.settings(), partitions)
                        .reading(changesId)
                        .withSecrets(WorkSettings.secrets(settings.settings(), keys, cleartextTopic)),
                observer,
                live,
                commits::after);
        Unwritten.First unwritten = new Unwritten.First();
        streamsSettings.put(DeadLetterHandler.OBSERVER, observer);
        streamsSettings.put(DeadLetterHandler.KEYS, keys);
        streamsSettings.put(Unwritten.FIRST, unwritten);
        KafkaStreams streams;
        try {
            streams =
                    new KafkaStreams(topology, streamsSettings, ObservedClients.of(streamsSettings, observer, commits));
            observer.restores().ifPresent(streams::setGlobalStateRestoreListener);
            if (startsEmpty) {
                streams.cleanUp(); // restoring from an empty changelog would leave the entries of local stores
            }
        } catch (StreamsException e) {
            throw data.unusable(e);
        } catch (KafkaException e) {
            throw kafka.unavailable(e);
        } catch (IllegalArgumentException e) { // thrown by Streams for an invalid combination of settings
            throw new MisconfiguredException(
                    "Kafka Streams cannot work with these settings: %s. Check KAFKA_* and --kafka-config."
                            .formatted(e.getMessage()),
                    e);
        }
        Pipeline pipeline = new Pipeline(streams, topology, settings, partitions, live, keys, unwritten);
        streams.setUncaughtExceptionHandler(pipeline::decide);
        try {
            streams.start(); // opens the stores of an earlier run
        } catch (ProcessorStateException e) {
            streams.close(LONGEST_CLOSE);
            throw PipelineFailedException.of(e, settings.stateDirectory());
        }
        return pipeline;
    }

    private static GroupCommit commits(PipelineSettings settings, Properties streamsSettings) {
        try {
            return GroupCommit.insteadOf(streamsSettings);
        } catch (KafkaException e) {
            throw settings.kafka().cluster().unavailable(e);
        }
    }

    private StreamThreadExceptionResponse decide(Throwable failure) {
        Throwable cause = withoutWrapping(failure);
        if (isRecoverable(cause)) {
            // Messages of recoverable Kafka errors contain topics and times, but no content of records.
            LOG.warn(
                    "A thread of the pipeline ended with {} ({}) and is replaced",
                    cause.getClass().getName(),
                    cause.getMessage());
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        }
        end.completeExceptionally(reason(failure, cause));
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    private static Throwable withoutWrapping(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && (cause instanceof StreamsException || !(cause instanceof KafkaException))) {
            cause = cause.getCause();
        }
        return cause;
    }

    private RuntimeException reason(Throwable failure, Throwable cause) {
        if (unwritten.cause().isPresent()) {
            return new KafkaUnavailableException(unwritten.cause().get(), failure);
        }
        return cause instanceof KafkaException && !(cause instanceof StreamsException)
                ? settings.kafka().cluster().unavailable(cause)
                : PipelineFailedException.of(failure, settings.stateDirectory());
    }

    /* A suspended process finds its transaction aborted by the broker: its work is undone and can be repeated. */
    static boolean isRecoverable(Throwable cause) {
        return cause instanceof RetriableException || cause instanceof InvalidTxnStateException;
    }

    /**
     * Waits until the pipeline is ready: its tasks, if any, are assigned and their state is restored.
     *
     * @param patience how long to wait; to restore state may take hours
     * @throws KafkaUnavailableException if it takes longer
     */
    public void awaitReady(Duration patience) throws InterruptedException {
        long begun = System.nanoTime();
        while (!ready().fine()) {
            if (end.isDone()) {
                awaitEnd();
            }
            if (System.nanoTime() - begun > patience.toNanos()) {
                throw new KafkaUnavailableException("The pipeline was not ready within %d s; it is %s."
                        .formatted(patience.toSeconds(), ready().state()));
            }
            Thread.sleep(20);
        }
    }

    /**
     * Waits until the pipeline was closed.
     *
     * @throws PipelineFailedException if it failed
     * @throws KafkaUnavailableException if it failed because the cluster became unusable
     */
    public void awaitEnd() throws InterruptedException {
        try {
            end.get();
        } catch (java.util.concurrent.ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("ended by something else than an exception of ours", e);
        }
    }

    public Health.Probes probes() {
        return new Health.Probes(this::started, this::ready, this::live);
    }

    private Health started() {
        KafkaStreams.State state = streams.state();
        return health(state != KafkaStreams.State.CREATED, state, "the pipeline has not started yet");
    }

    /*
     * RUNNING implies that tasks are assigned. An instance without tasks is a standby and also ready; a rolling update
     * must not wait for more.
     */
    private Health ready() {
        KafkaStreams.State state = streams.state();
        return health(
                state == KafkaStreams.State.RUNNING, state, "tasks are being assigned, or their state is restored");
    }

    private Health live() {
        KafkaStreams.State state = streams.state();
        boolean lives = !end.isCompletedExceptionally() && !state.hasStartedOrFinishedShuttingDown();
        return health(lives, state, "the pipeline has stopped, see its log");
    }

    private static Health health(boolean fine, KafkaStreams.State state, String otherwise) {
        return new Health(fine, state.name(), fine ? null : otherwise);
    }

    public Placement placement() {
        return placement;
    }

    public TopologyDescription topology() {
        return topology.describe();
    }

    public KafkaStreams streams() {
        return streams;
    }

    public int partitions() {
        return partitions;
    }

    /** Returns the settings of Kafka Streams, for other topologies that have to run under equal conditions. */
    public Map<String, Object> streamsSettings() {
        Map<String, Object> result = new HashMap<>();
        StreamsSettings.of(settings).forEach((name, value) -> result.put((String) name, value));
        return result;
    }

    /** Shuts down cleanly: finishes and commits the records in progress, and tells the other instances. */
    @Override
    public void close() {
        // A static member returns to its tasks; others leave, so that their tasks move.
        GroupMembershipOperation operation = streamsSettings().containsKey(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG)
                ? GroupMembershipOperation.REMAIN_IN_GROUP
                : GroupMembershipOperation.LEAVE_GROUP;
        if (!streams.close(CloseOptions.groupMembershipOperation(operation).withTimeout(LONGEST_CLOSE))) {
            LOG.warn(
                    "The pipeline did not end within {} s; unfinished work is repeated after the next start",
                    LONGEST_CLOSE.toSeconds());
        }
        end.complete(null);
    }
}
