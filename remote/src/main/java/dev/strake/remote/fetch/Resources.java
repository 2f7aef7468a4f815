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
 * The resources of one partition, as far as the topics were read: what each says, what is remembered of it, and when it is
 * its turn. But for what says otherwise, only the thread that reads the topics uses it; times are those of {@link
 * System#nanoTime}.
 */
final class Resources {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(15);
    private static final double JITTER = 0.1;

    /** Resources that fetch resources: more in a chain than anybody has, and an end for one that makes itself longer. */
    private static final int LONGEST_CHAIN = 10;

    private final Map<RenderedKey, Tracked> tracked = new HashMap<>();
    private final Map<RenderedKey, Set<RenderedKey>> referring = new HashMap<>();
    private final Map<RenderedKey, Long> objects = new HashMap<>();
    private final Duration interval;
    private final Random random;
    /** Where the topics ended when the partition was assigned. */
    final Map<TopicPartition, Long> ends = new HashMap<>();
    /** Attempts that are under way. For any thread. */
    final AtomicInteger running = new AtomicInteger();

    boolean isLoaded;
    /** Whether changes may still be published: nobody else has the partition. For any thread. */
    volatile boolean isOurs = true;

    /** One resource. */
    static final class Tracked {
        final RenderedKey key;
        Optional<RemoteResource> resource = Optional.empty();
        String problem = "";
        /** The bucket that the resource lies in, which another resource may own. */
        String in = "";

        boolean isThere;
        boolean isGone;
        Optional<Memory> memory = Optional.empty();
        Instant success;
        int failures;
        boolean isRunning;
        boolean isPlanned;
        long due;
        long since;

        Tracked(RenderedKey key) {
            this.key = key;
        }

        /* At once, with nothing older than now. */
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

    /** Whether documents of this schema matter here: resources, and objects that they may refer to. */
    static boolean isObject(DocumentKey key) {
        return key.schema().equals(ObjectDocument.SCHEMA);
    }

    /** An object came, changed, or went. */
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

    /** A resource came, changed, or went. */
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
        }
        one.hurry(now);
    }

    private static RenderedKey inSameWorkspace(Tracked one, DocumentKey reference) {
        return new RenderedKey(one.key.workspace(), reference);
    }

    /** A record of what was published; null if it is forgotten. */
    void memory(RenderedKey key, byte[] value) {
        tracked.computeIfAbsent(key, Tracked::new).memory =
                value == null ? Optional.empty() : Optional.of(Memory.read(value));
    }

    /** When a resource was last fetched with success, from its status. */
    void success(RenderedKey key, Instant time) {
        tracked.computeIfAbsent(key, Tracked::new).success = time;
    }

    private Duration interval(Tracked one) {
        return one.resource.flatMap(RemoteResource::interval).orElse(interval);
    }

    /** Those whose turn it is and that nobody is at. */
    List<Tracked> due(long now) {
        List<Tracked> due = new ArrayList<>();
        for (Tracked one : tracked.values()) {
            boolean isOurs = one.isThere || (one.isGone && one.memory.isPresent());
            if (isOurs && one.isPlanned && !one.isRunning && one.due - now <= 0) {
                due.add(one);
            }
        }
        due.sort((a, b) -> Long.compare(a.due - now, b.due - now));
        return due;
    }

    /**
     * Plans the next turn after one that began with the present plan.
     *
     * @return how long it is until then
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

    /** Why a resource cannot be fetched, whatever its source says; empty if it can. */
    Optional<String> objection(Tracked one) {
        if (one.resource.isEmpty()) {
            return Optional.of(one.problem);
        }
        if (isTooDeep(one)) {
            return Optional.of(
                    "it was fetched by a resource that was fetched by another, and so on: a chain has at most %d resources"
                            .formatted(LONGEST_CHAIN));
        }
        String bucket = one.resource.get().bucket();
        return owner(one.key.workspace(), bucket)
                .filter(owner -> !owner.equals(one.key))
                .map(owner -> "the bucket %s belongs to the resource %s; give this one another"
                        .formatted(bucket, owner.document().name()));
    }

    /** Who may publish to a bucket: whoever did before, or else the first by name. */
    private Optional<RenderedKey> owner(String workspace, String bucket) {
        Optional<RenderedKey> first = Optional.empty();
        for (Tracked one : tracked.values()) {
            if (!one.key.workspace().equals(workspace)) {
                continue;
            }
            if (one.memory.map(Memory::bucket).equals(Optional.of(bucket))) {
                return Optional.of(one.key);
            }
            boolean isFirst = one.resource.map(RemoteResource::bucket).equals(Optional.of(bucket))
                    && (first.isEmpty()
                            || one.key.document().compareTo(first.get().document()) < 0);
            first = isFirst ? Optional.of(one.key) : first;
        }
        return first;
    }

    /**
     * Whether too many resources stand before this one, each of which fetched the next. A resource that is among what it
     * fetches has come round, which is no end of a chain.
     */
    private boolean isTooDeep(Tracked last) {
        Set<RenderedKey> chain = new HashSet<>();
        Optional<Tracked> one = Optional.of(last);
        while (one.isPresent() && chain.size() <= LONGEST_CHAIN && chain.add(one.get().key)) {
            one = owner(last.key.workspace(), one.get().in).map(tracked::get);
        }
        return chain.size() > LONGEST_CHAIN;
    }

    /** Where the objects that a resource refers to are in the topic, as far as there are any. */
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

    /** Forgets a resource that is gone, once nothing of it is left to do. */
    void forget(Tracked one) {
        if (one.isGone && !one.isRunning) {
            tracked.remove(one.key);
        }
    }
}
