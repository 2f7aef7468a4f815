package dev.strake.server.writing;

import dev.strake.client.ChangePublisher;
import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.client.NewChange;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.Payload;
import dev.strake.serdes.change.PrincipalProof;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.serdes.text.Limits;
import dev.strake.server.access.AuditLog;
import dev.strake.server.access.Principal;
import dev.strake.server.events.Feed;
import dev.strake.server.http.RefusedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the changes sent over HTTP with one shared producer, and waits for their outcomes with the shared reader of
 * events. An accepted change is published even if its client stops waiting.
 *
 * <pre>
 *  accepted ──► wait until outcomes are being read ──► send ──► acknowledged by all replicas ──► outcome
 * </pre>
 */
public final class Writer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

    private static final Duration KAFKA_TIMEOUT = Duration.ofSeconds(15);

    /** The number of outcomes kept for clients that stopped waiting. */
    private static final int MOST_KEPT = 1_000;

    private final Cluster cluster;
    private final String topic;
    private final Feed feed;
    private final InstalledKeys keys;
    private final Map<Key, List<CompletableFuture<Optional<Answered>>>> waiting = new HashMap<>();
    private final Map<Key, Optional<Answered>> kept = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Optional<Answered>> eldest) {
            return size() > MOST_KEPT;
        }
    };
    private KafkaProducer<byte[], byte[]> producer;
    private boolean isListening;
    private volatile boolean ends;

    private record Key(String workspace, String changeId) {}

    /** The outcome of a change. */
    @SuppressWarnings("ArrayRecordComponent") // not compared
    public record Answered(Outcome outcome, byte[] json) {}

    /**
     * @param prefix of the topic names
     * @param feed delivers the outcomes
     * @param keys sign the principal of a change for the pipeline; without keys, changes have no verified principal
     */
    public Writer(Cluster cluster, String prefix, Feed feed, InstalledKeys keys) {
        this.cluster = cluster;
        this.topic = prefix + TopicNames.CHANGES;
        this.feed = feed;
        this.keys = keys;
    }

    /**
     * Publishes a change and waits for its outcome.
     *
     * @param patience how long to wait after Kafka acknowledged the change; zero for not at all
     * @return empty if there is no outcome yet
     * @throws RefusedException if nothing was published, or if Kafka did not acknowledge the change
     */
    public Optional<Answered> write(NewChange change, Principal principal, Duration patience) {
        if (ends) {
            throw RefusedException.tryAgain("Stopping", "This instance is stopping. Send it again in a moment.");
        }
        AuditLog.written(principal, change);
        Key key = new Key(change.workspace(), change.id());
        CompletableFuture<Optional<Answered>> outcome = new CompletableFuture<>();
        expect(key, outcome);
        try {
            feed.begun().get(KAFKA_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            send(change, principal);
            return ends || patience.isZero()
                    ? Optional.empty()
                    : outcome.completeOnTimeout(Optional.empty(), patience.toMillis(), TimeUnit.MILLISECONDS)
                            .get();
        } catch (ExecutionException
                | TimeoutException
                | KafkaException
                | KafkaUnavailableException
                | MisconfiguredException e) {
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            LOG.warn("A change was not acknowledged: {}", cause.getClass().getName());
            throw notConfirmed(change);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notConfirmed(change);
        } finally {
            forget(key, outcome);
        }
    }

    private static RefusedException notConfirmed(NewChange change) {
        return RefusedException.tryAgain(
                "NotConfirmed",
                "Kafka did not confirm the change %s in time, but may have it. Send it again with this id as Idempotency-Key."
                        .formatted(change.id()));
    }

    /** Rejects new changes, and completes all waiting requests without an outcome. */
    public void releaseWaiting() {
        ends = true;
        List<CompletableFuture<Optional<Answered>>> all;
        synchronized (this) {
            all = waiting.values().stream().flatMap(List::stream).toList();
        }
        all.forEach(each -> each.complete(Optional.empty()));
    }

    private synchronized void expect(Key key, CompletableFuture<Optional<Answered>> outcome) {
        waiting.computeIfAbsent(key, none -> new ArrayList<>()).add(outcome);
        if (!isListening) {
            isListening = true;
            feed.addListener(this::complete);
        }
    }

    private void send(NewChange change, Principal principal) throws ExecutionException, InterruptedException {
        List<ProducerRecord<byte[], byte[]>> messages = change.records(topic);
        prove(principal, messages);
        KafkaProducer<byte[], byte[]> sender = producer();
        List<Future<RecordMetadata>> acknowledgements = new ArrayList<>();
        messages.forEach(message -> acknowledgements.add(sender.send(message)));
        for (Future<RecordMetadata> acknowledgement : acknowledgements) {
            acknowledgement.get();
        }
    }

    private synchronized KafkaProducer<byte[], byte[]> producer() {
        if (producer == null) {
            producer = ChangePublisher.producer(cluster, KAFKA_TIMEOUT);
        }
        return producer;
    }

    /* Adds no proof if access is off, because then the principal is not known. */
    private void prove(Principal principal, List<ProducerRecord<byte[], byte[]>> messages) {
        SecretKeys current = keys.current();
        if (!current.areThere() || principal.equals(Principal.ANYBODY)) {
            return;
        }
        ProducerRecord<byte[], byte[]> first = messages.get(0);
        ChangeEnvelope envelope = ChangeEnvelope.read(
                        new String(first.key(), StandardCharsets.UTF_8),
                        first.headers(),
                        topic,
                        0,
                        0,
                        0,
                        Limits.DEFAULT)
                .envelope();
        PrincipalProof proof = PrincipalProof.of(
                current,
                principal.name(),
                topic,
                envelope,
                messages.stream()
                        .map(message -> Payload.of(message.value(), origins(message)))
                        .toList());
        messages.forEach(message -> proof.addTo(message.headers()));
    }

    private static byte[] origins(ProducerRecord<byte[], byte[]> message) {
        Header origins = message.headers().lastHeader(HeaderNames.ORIGINS);
        return origins == null ? null : origins.value();
    }

    private void complete(byte[] json) {
        Outcome outcome = OutcomeJson.read(json);
        if (outcome.status() == OutcomeStatus.PENDING) {
            return;
        }
        Optional<Answered> answered = Optional.of(new Answered(outcome, json));
        List<CompletableFuture<Optional<Answered>>> all;
        synchronized (this) {
            Key key = new Key(outcome.workspace(), outcome.change().id());
            if (!waiting.containsKey(key) && !kept.containsKey(key)) {
                return;
            }
            kept.put(key, answered);
            all = List.copyOf(waiting.getOrDefault(key, List.of()));
        }
        all.forEach(each -> each.complete(answered));
    }

    /* The client may ask again later, so its change is remembered. */
    private synchronized void forget(Key key, CompletableFuture<Optional<Answered>> outcome) {
        List<CompletableFuture<Optional<Answered>>> all = waiting.get(key);
        if (all.removeIf(each -> each == outcome) && all.isEmpty()) {
            waiting.remove(key);
            kept.putIfAbsent(key, Optional.empty());
        }
    }

    /** Returns the outcome of a change that was recently written here, if known. */
    synchronized Optional<Answered> answered(String workspace, String changeId) {
        return kept.getOrDefault(new Key(workspace, changeId), Optional.empty());
    }

    /** Whether a change was recently written here. */
    synchronized boolean isKnown(String workspace, String changeId) {
        Key key = new Key(workspace, changeId);
        return kept.containsKey(key) || waiting.containsKey(key);
    }

    @Override
    public synchronized void close() {
        if (producer != null) {
            producer.close(Duration.ofSeconds(5));
        }
    }
}
