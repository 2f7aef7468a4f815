package dev.strake.checks.chaos;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Runs a {@link Follower} in a separate JVM, kills and restarts it every few seconds, and checks its logs. */
final class Followers implements AutoCloseable {

    private static final int MEGABYTES = 96;

    /** How long it may take to receive everything once publishing has ended. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Some workspaces of the publishers: with a family, with schemas, and with neither. */
    private static final List<String> WORKSPACES = List.of("ws-0", "ws-1", "ws-2", "ws-3");

    private final Path home;
    private final Jvm jvm;
    private final List<String> arguments;
    private final Random random;
    private final Thread killing = new Thread(this::killAgainAndAgain, "kills-the-follower");
    private volatile boolean done;
    private final AtomicInteger kills = new AtomicInteger();

    Followers(Path home, String bootstrapServers, String prefix, long seed) {
        this.home = home;
        this.jvm = new Jvm("follower", home, MEGABYTES);
        this.random = new Random(seed);
        this.arguments = new ArrayList<>(List.of(bootstrapServers, prefix, home.toString()));
        arguments.addAll(WORKSPACES);
        start();
        killing.start();
    }

    private void start() {
        jvm.start(Follower.class, List.of(), arguments, Map.of());
    }

    private void killAgainAndAgain() {
        while (!isDoneWithin(Duration.ofMillis(5_000 + random.nextInt(15_000)))) {
            jvm.kill();
            kills.incrementAndGet();
            start();
        }
    }

    private boolean isDoneWithin(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (!done && System.nanoTime() < end) {
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
        return done;
    }

    /** Stops killing the follower. */
    void leaveInPeace() {
        done = true;
        try {
            killing.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops the follower until {@link #comeBack}, once it has a checkpoint of each workspace. */
    void stayAway() {
        leaveInPeace();
        await("checkpoints")
                .atMost(PATIENCE)
                .until(() -> stories().values().stream().allMatch(Followers::hasCheckpoint));
        jvm.kill();
        kills.incrementAndGet();
    }

    void comeBack() {
        start();
    }

    int kills() {
        return kills.get();
    }

    /** Waits until everything was delivered, or for the timeout, stops the follower and checks its logs. */
    void judge(History history, Predicate<ConsumerRecord<byte[], byte[]>> isLeft, Verdict verdict) {
        leaveInPeace();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Map<String, List<Followed>> stories = stories();
        while (jvm.isRunning() && System.nanoTime() < deadline && !areAtEnd(stories, history)) {
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            stories = stories();
        }
        close();
        // At their end: a follower killed shortly before may have resumed from an older checkpoint.
        stories.forEach((workspace, story) -> FollowedCheck.check(workspace, story, history, isLeft, verdict));
    }

    /* The event is logged before the checkpoint is saved, so only a later event proves that it was saved. */
    private static boolean hasCheckpoint(List<Followed> story) {
        return story.stream().limit(Math.max(0, story.size() - 1)).anyMatch(Followed.Kept.class::isInstance);
    }

    private static boolean areAtEnd(Map<String, List<Followed>> stories, History history) {
        return stories.entrySet().stream()
                .allMatch(each -> FollowedCheck.isAtEnd(each.getKey(), each.getValue(), history));
    }

    /** The logs of all workspaces so far. */
    Map<String, List<Followed>> stories() {
        Map<String, List<Followed>> stories = new HashMap<>();
        for (String workspace : WORKSPACES) {
            try {
                stories.put(workspace, Followed.read(Follower.story(home, workspace)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return stories;
    }

    @Override
    public void close() {
        leaveInPeace();
        if (jvm.isRunning()) {
            jvm.kill();
        }
    }
}
