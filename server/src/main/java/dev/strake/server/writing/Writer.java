package dev.strake.server.writing;

import dev.strake.client.ChangePublisher;
import dev.strake.client.Cluster;
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
import dev.strake.server.access.Principal;
import dev.strake.server.events.Feed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the changes that come over HTTP, with one producer for all of them, and hears what becomes of them from the
 * one reader that events come from. A change that was taken is published, whether its client waits or not.
 *
 * <pre>
 *  taken ──► wait until outcomes are heard ──► send ──► all replicas have it ──► outcome
 * </pre>
 */
public final class Writer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

    private static final Duration KAFKA_TIMEOUT = Duration.ofSeconds(15);

    /** Changes that Kafka has not confirmed yet; and their bytes take so much of the heap. */
    private static final int MOST_IN_FLIGHT = 256;

    private static final int SHARE_OF_HEAP = 8;

    /** Outcomes that are kept for whoever did not wait. */
    private static final int MOST_KEPT = 1_000;

    private final Cluster cluster;
    private final String topic;
    private final Feed feed;
    private final InstalledKeys keys;
    private final ExecutorService sender;
    private final Semaphore inFlight = new Semaphore(MOST_IN_FLIGHT);
    private final Semaphore room =
            new Semaphore((int) Math.min(1 << 20, (Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP) >> 10));
    private final Map<Key, List<Waiting>> waiting = new LinkedHashMap<>();
    private final Map<Key, Answered> kept = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Answered> eldest) {
            return size() > MOST_KEPT;
        }
    };
    private KafkaProducer<byte[], byte[]> producer;
    private boolean hears;
    private volatile boolean ends;

    private record Key(String workspace, String changeId) {}

    /** Somebody who waits for the outcome of a change, or for Kafka to have it. */
    private record Waiting(CompletableFuture<Result> result, CompletableFuture<Void> acknowledged) {

        void endWithWhatIsKnown() {
            boolean isThere = acknowledged.isDone() && !acknowledged.isCompletedExceptionally();
            result.complete(isThere ? new Pending() : new Unsure());
        }
    }

    /** What becomes of a change, as far as it is known here. */
    sealed interface Result {}

    @SuppressWarnings("ArrayRecordComponent") // not compared
    record Answered(Outcome outcome, byte[] json) implements Result {}

    /** It is published, or about to be; its outcome has not come yet. */
    record Pending() implements Result {}

    /** There is no room for it now; nothing was published. */
    record Busy() implements Result {}

    /** This instance takes no more changes; nothing was published. */
    record Stopping() implements Result {}

    /** Kafka did not say that it has the change. It may have it all the same. */
    record Unsure() implements Result {}

    /**
     * @param prefix of the topics' names
     * @param feed from which outcomes are heard
     * @param keys by which it proves to the pipeline who publishes; where there are none, nobody is proven to
     */
    public Writer(Cluster cluster, String prefix, Feed feed, InstalledKeys keys) {
        this.cluster = cluster;
        this.topic = prefix + TopicNames.CHANGES;
        this.feed = feed;
        this.keys = keys;
        this.sender = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "writes");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Publishes a change.
     *
     * @param patience how long to wait for its outcome; zero for until Kafka has it
     * @return never fails
     */
    CompletableFuture<Result> write(NewChange change, Principal principal, Duration patience) {
        int kilobytes = Math.toIntExact(change.bytes() >> 10) + 1;
        if (ends) {
            return CompletableFuture.completedFuture(new Stopping());
        }
        if (!inFlight.tryAcquire()) {
            return CompletableFuture.completedFuture(new Busy());
        }
        if (!room.tryAcquire(kilobytes)) {
            inFlight.release();
            return CompletableFuture.completedFuture(new Busy());
        }
        Audit.taken(principal, change);
        Key key = new Key(change.workspace(), change.id());
        CompletableFuture<Result> result = new CompletableFuture<>();
        CompletableFuture<Void> acknowledged = new CompletableFuture<>();
        Waiting waits = new Waiting(result, acknowledged);
        expect(key, waits);
        var unusedRelease = acknowledged.whenComplete((done, failure) -> {
            room.release(kilobytes);
            inFlight.release();
            if (failure != null) {
                LOG.warn("A change was not acknowledged: {}", failure.getClass().getName());
                result.complete(new Unsure());
            } else if (patience.isZero()) {
                result.complete(new Pending());
            }
        });
        var unusedSending = feed.begun()
                .copy()
                .orTimeout(KAFKA_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .thenRunAsync(() -> send(change, principal, acknowledged), sender)
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        acknowledged.completeExceptionally(failure);
                    }
                });
        Duration longest = patience.isZero() ? KAFKA_TIMEOUT : patience;
        CompletableFuture.delayedExecutor(longest.toMillis(), TimeUnit.MILLISECONDS)
                .execute(waits::endWithWhatIsKnown);
        if (ends) {
            waits.endWithWhatIsKnown();
        }
        return result.whenComplete((answer, failure) -> forget(key, waits));
    }

    /** Takes no more changes, and lets nobody wait any longer: whoever waits is told what is known. */
    public void releaseWaiting() {
        ends = true;
        List<Waiting> all;
        synchronized (this) {
            all = waiting.values().stream().flatMap(List::stream).toList();
        }
        all.forEach(Waiting::endWithWhatIsKnown);
    }

    private synchronized void expect(Key key, Waiting waits) {
        waiting.computeIfAbsent(key, none -> new ArrayList<>()).add(waits);
        if (!hears) {
            hears = true;
            feed.hear(this::heard);
        }
    }

    private void send(NewChange change, Principal principal, CompletableFuture<Void> acknowledged) {
        if (producer == null) {
            producer = ChangePublisher.producer(cluster, KAFKA_TIMEOUT);
        }
        List<ProducerRecord<byte[], byte[]>> messages = change.records(topic);
        prove(principal, messages);
        AtomicInteger left = new AtomicInteger(messages.size());
        for (ProducerRecord<byte[], byte[]> message : messages) {
            var unused = producer.send(message, (place, failure) -> {
                if (failure != null) {
                    acknowledged.completeExceptionally(failure);
                } else if (left.decrementAndGet() == 0) {
                    acknowledged.complete(null);
                }
            });
        }
    }

    /* Whoever asks where access is not controlled is nobody in particular. */
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

    private void heard(byte[] json) {
        Outcome outcome = OutcomeJson.read(json);
        if (outcome.status() == OutcomeStatus.PENDING) {
            return;
        }
        List<Waiting> all;
        Answered answered = new Answered(outcome, json);
        synchronized (this) {
            Key key = new Key(outcome.workspace(), outcome.change().id());
            all = waiting.get(key);
            if (all == null && !kept.containsKey(key)) {
                return;
            }
            kept.put(key, answered);
            all = all == null ? List.of() : List.copyOf(all);
        }
        all.forEach(each -> each.result.complete(answered));
    }

    /* Whoever did not wait long enough may ask later, so its change is kept in mind. */
    private synchronized void forget(Key key, Waiting waits) {
        List<Waiting> all = waiting.get(key);
        if (all != null && all.removeIf(each -> each.result == waits.result) && all.isEmpty()) {
            waiting.remove(key);
            kept.putIfAbsent(key, null);
        }
    }

    /** What became of a change that was written here not long ago; empty if it was not. */
    synchronized Optional<Result> known(String workspace, String changeId) {
        Key key = new Key(workspace, changeId);
        if (!kept.containsKey(key)) {
            return waiting.containsKey(key) ? Optional.of(new Pending()) : Optional.empty();
        }
        Answered answered = kept.get(key);
        return Optional.of(answered == null ? new Pending() : answered);
    }

    /** Sends what was taken, and ends. */
    @Override
    public void close() {
        sender.shutdown();
        try {
            if (!sender.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("Changes that were taken may not have been sent");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (producer != null) {
            producer.close(Duration.ofSeconds(5));
        }
    }
}
