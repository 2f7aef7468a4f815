package dev.strake.remote.fetch;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.fetch.attempt.Memory;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.resource.RemoteResource;
import dev.strake.remote.fetch.resource.RemoteResourceReader;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.rendered.RenderedRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;

/**
 * The resources of one partition, as read from the topics: their content, their memory, and when each is due. Only the
 * thread that reads the topics may use this class, except for members that say otherwise. Times are those of {@link
 * System#nanoTime}.
 */
final class Resources {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(15);
    private static final double JITTER = 0.1;

    /** Limits chains of resources that fetch resources, since such a chain could grow without end. */
    private static final int LONGEST_CHAIN = 10;

    /** Limits the resources of a workspace that other resources fetched, since their number could grow without end. */
    private static final int MOST_FETCHED = 100;

    private final Map<RenderedKey, Tracked> tracked = new HashMap<>();
    private final Owners owners = new Owners();
    /** By workspace: resources that other resources fetched and that are fetched, too. */
    private final Map<String, Set<RenderedKey>> fetched = new HashMap<>();

    private final Map<RenderedKey, Set<RenderedKey>> referring = new HashMap<>();
    private final Map<RenderedKey, Long> objects = new HashMap<>();
    private final Duration interval;
    private final Random random;
    /** The end offsets when the partition was assigned. */
    final Map<TopicPartition, Long> ends = new HashMap<>();
    /** The number of running attempts. For use by any thread. */
    final AtomicInteger underWay = new AtomicInteger();

    boolean isLoaded;
    /** Whether changes may still be published, because no other fetcher owns the partition. For use by any thread. */
    volatile boolean isOurs = true;

    /** The state of one resource. */
    static final class Tracked {
        final RenderedKey key;
        Optional<RemoteResource> resource = Optional.empty();
        String problem = "";
        /** The bucket that contains the resource itself; another resource may own that bucket. */
        String in = "";

        boolean isThere;
        boolean isGone;
        Optional<Memory> memory = Optional.empty();
        Instant success;
        boolean hasStatus;
        int failures;
        boolean isRunning;
        boolean isPlanned;
        long due;
        long since;

        Tracked(RenderedKey key) {
            this.key = key;
        }

        /* Makes the resource due now, with content no older than now. */
        void hurry(long now) {
            isPlanned = true;
            due = now;
            since = now;
        }
    }

    Resources(Duration interval, Random random) {
        this.interval = interval;
        this.random = random;
    }

    /** Whether a document is an object that a resource may refer to. */
    static boolean isObject(DocumentKey key) {
        return key.schema().equals(ObjectDocument.SCHEMA);
    }

    /** An object was published, changed or removed. Resources that refer to it become due. */
    void object(RenderedKey key, boolean isThere, long offset, long now) {
        if (isThere) {
            objects.put(key, offset);
        } else {
            objects.remove(key);
        }
        referring.getOrDefault(key, Set.of()).forEach(each -> {
            Tracked one = tracked.get(each);
            if (one != null && one.isThere) {
                one.hurry(now);
            }
        });
    }

    /** A resource was published, changed or removed. */
    void resource(RenderedRecord record, long now) {
        Tracked one = tracked.computeIfAbsent(record.key(), Tracked::new);
        one.resource.ifPresent(before -> before.references()
                .forEach(reference -> referring
                        .getOrDefault(inSameWorkspace(one, reference), new HashSet<>())
                        .remove(one.key)));
        one.resource = Optional.empty();
        one.problem = "";
        one.failures = 0;
        one.isThere = record.document().isPresent();
        one.isGone = !one.isThere;
        one.in = record.headers().bucket();
        if (one.isThere) {
            try {
                RemoteResource read = RemoteResourceReader.read(record);
                one.resource = Optional.of(read);
                read.references()
                        .forEach(reference -> referring
                                .computeIfAbsent(inSameWorkspace(one, reference), key -> new HashSet<>())
                                .add(one.key));
            } catch (FetchException e) {
                one.problem = e.getMessage();
            }
        } else {
            leave(one);
        }
        settle(one);
        one.hurry(now);
        forget(one);
    }

    /* Updates the claims of a resource to buckets. */
    private void settle(Tracked one) {
        owners.put(one.key, one.resource.map(RemoteResource::bucket), one.memory.map(Memory::bucket));
    }

    private static RenderedKey inSameWorkspace(Tracked one, DocumentKey reference) {
        return new RenderedKey(one.key.workspace(), reference);
    }

    /** Reads a record of the memory topic; null if the memory was deleted. */
    void memory(RenderedKey key, byte[] value) {
        Optional<Memory> memory = value == null ? Optional.empty() : Optional.of(Memory.read(value));
        remember(tracked.computeIfAbsent(key, Tracked::new), memory);
    }

    /** Replaces the memory of a resource. */
    void remember(Tracked one, Optional<Memory> memory) {
        one.memory = memory;
        settle(one);
    }

    /** Records whether a resource has a status, and the time of its last success. */
    void status(RenderedKey key, boolean isThere, Optional<Instant> success) {
        Tracked one = tracked.computeIfAbsent(key, Tracked::new);
        one.hasStatus = isThere;
        one.success = success.orElse(null);
    }

    /**
     * The topics were read up to their end offsets at the assignment. Where the number of resources is limited, those
     * that were fetched before come first.
     */
    void loaded() {
        isLoaded = true;
        new ArrayList<>(tracked.values()).forEach(this::forget);
        tracked.values().stream()
                .filter(one -> one.isThere && one.memory.isPresent())
                .forEach(this::objection);
    }

    int size() {
        return tracked.size();
    }

    private Duration interval(Tracked one) {
        return one.resource.flatMap(RemoteResource::interval).orElse(interval);
    }

    /** Returns the resources with a running turn. */
    List<Tracked> running() {
        return tracked.values().stream().filter(one -> one.isRunning).toList();
    }

    /** Returns the resources that are due and not running, in the order in which they became due. */
    List<Tracked> due(long now) {
        List<Tracked> due = new ArrayList<>();
        for (Tracked one : tracked.values()) {
            boolean isOurs = one.isThere || (one.isGone && hasLeftAnything(one));
            if (isOurs && one.isPlanned && !one.isRunning && one.due - now <= 0) {
                due.add(one);
            }
        }
        due.sort((a, b) -> Long.compare(a.due - now, b.due - now));
        return due;
    }

    /**
     * Plans the turn after one that has just finished.
     *
     * @return the time until the next turn
     */
    Duration plan(Tracked one, boolean isFailed, long now) {
        one.failures = isFailed ? Math.min(30, one.failures + 1) : 0;
        Duration pause = interval(one);
        if (isFailed) {
            long retry = FIRST_PAUSE.toNanos() << Math.min(16, one.failures - 1);
            pause = Duration.ofNanos(Math.min(pause.toNanos(), retry));
        }
        long jittered = (long) (pause.toNanos() * (1 + JITTER * (2 * random.nextDouble() - 1)));
        one.isPlanned = true;
        one.due = now + jittered;
        one.since = one.due - (isFailed ? 0 : pause.toNanos() / 2);
        return Duration.ofNanos(jittered);
    }

    /**
     * Returns why a resource must not be fetched, whatever its source contains; empty if it may be. A resource that
     * another one fetched then takes one of the limited places.
     */
    Optional<String> objection(Tracked one) {
        leave(one);
        if (one.resource.isEmpty()) {
            return Optional.of(one.problem);
        }
        if (isTooDeep(one)) {
            return Optional.of(
                    "the chain of resources that fetched one another is longer than %d".formatted(LONGEST_CHAIN));
        }
        String bucket = one.resource.get().bucket();
        Optional<RenderedKey> other = owners.of(one.key.workspace(), bucket).filter(owner -> !owner.equals(one.key));
        if (other.isPresent()) {
            return Optional.of("the bucket %s belongs to the resource %s; give this one another"
                    .formatted(bucket, other.get().document().name()));
        }
        return enter(one)
                ? Optional.empty()
                : Optional.of(
                        "the workspace has more than %d resources that others fetched; publish this one yourself, or remove others"
                                .formatted(MOST_FETCHED));
    }

    private boolean enter(Tracked one) {
        if (owners.of(one.key.workspace(), one.in).isEmpty()) {
            return true;
        }
        Set<RenderedKey> others = fetched.computeIfAbsent(one.key.workspace(), workspace -> new HashSet<>());
        return others.size() < MOST_FETCHED && others.add(one.key);
    }

    private void leave(Tracked one) {
        fetched.computeIfPresent(one.key.workspace(), (workspace, others) -> {
            others.remove(one.key);
            return others.isEmpty() ? null : others;
        });
    }

    /** Whether the chain of resources that fetched this one is too long. The search ends at a cycle. */
    private boolean isTooDeep(Tracked last) {
        Set<RenderedKey> chain = new HashSet<>();
        Optional<Tracked> one = Optional.of(last);
        while (one.isPresent() && chain.size() <= LONGEST_CHAIN && chain.add(one.get().key)) {
            one = owners.of(last.key.workspace(), one.get().in).map(tracked::get);
        }
        return chain.size() > LONGEST_CHAIN;
    }

    /** Returns the offsets of the existing objects that a resource refers to. */
    Map<DocumentKey, Long> offsets(RemoteResource resource) {
        Map<DocumentKey, Long> offsets = new HashMap<>();
        for (DocumentKey reference : resource.references()) {
            Long offset = objects.get(new RenderedKey(resource.key().workspace(), reference));
            if (offset != null) {
                offsets.put(reference, offset);
            }
        }
        return offsets;
    }

    /** Forgets a resource that is gone, once no work is left for it. */
    void forget(Tracked one) {
        if (isLoaded && !one.isThere && !one.isRunning && !hasLeftAnything(one)) {
            tracked.remove(one.key);
        }
    }

    private static boolean hasLeftAnything(Tracked one) {
        return one.memory.isPresent() || one.hasStatus;
    }
}
