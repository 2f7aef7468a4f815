package dev.strake.checks.chaos;

import dev.strake.client.Checkpoint;
import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.RenderedUpdate;
import dev.strake.client.Subscription;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that follows workspaces by subscriptions, one thread each, and logs their events ({@link Followed}). It
 * sometimes saves a checkpoint, and resumes from the last one after a restart or an outage of Kafka.
 * {@code Follower BOOTSTRAP PREFIX DIRECTORY WORKSPACE…}
 */
final class Follower {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String CHECKPOINT = ".checkpoint";

    private final Cluster cluster;
    private final String prefix;
    private final String workspace;
    private final Path directory;
    private final Random random = new Random();
    private final OutputStream story;
    private int last;

    private Follower(Cluster cluster, String prefix, Path home, String workspace) throws IOException {
        this.cluster = cluster;
        this.prefix = prefix;
        this.workspace = workspace;
        this.directory = Files.createDirectories(home.resolve(workspace));
        this.story = Files.newOutputStream(
                story(home, workspace), StandardOpenOption.CREATE, StandardOpenOption.APPEND); // unbuffered
        story.write('\n'); // ends a line cut off by a kill
        try (DirectoryStream<Path> kept = Files.newDirectoryStream(directory, "*" + CHECKPOINT)) {
            for (Path each : kept) {
                String name = each.getFileName().toString();
                last = Math.max(last, Integer.parseInt(name.substring(0, name.length() - CHECKPOINT.length())));
            }
        }
    }

    /** The log file of a workspace. */
    static Path story(Path home, String workspace) {
        return home.resolve(workspace + ".story");
    }

    public static void main(String[] arguments) throws IOException {
        for (int i = 3; i < arguments.length; i++) {
            Follower follower =
                    new Follower(Cluster.at(arguments[0]), arguments[1], Path.of(arguments[2]), arguments[i]);
            new Thread(follower::follow, "follows-" + arguments[i]).start();
        }
    }

    private void follow() {
        try {
            while (true) {
                try (Subscription subscription = begin()) {
                    while (true) {
                        Optional<RenderedUpdate> update = subscription.next(Duration.ofSeconds(1));
                        if (update.isPresent()) {
                            write(Followed.of(update.get(), subscription.checkpoint()));
                            if (random.nextInt(5) == 0) {
                                keep(subscription.checkpoint());
                            }
                        }
                    }
                } catch (KafkaUnavailableException e) {
                    LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
                }
            }
        } catch (RuntimeException e) {
            write(new Followed.Failed(e.toString()));
            throw e;
        }
    }

    private Subscription begin() {
        if (last == 0) {
            Subscription opened = Subscription.open(cluster, prefix, workspace, TIMEOUT);
            write(new Followed.Opened());
            return opened;
        }
        try (InputStream in = Files.newInputStream(checkpoint(last))) {
            Subscription resumed = Subscription.resume(cluster, prefix, Checkpoint.read(in), TIMEOUT);
            write(new Followed.Resumed(last));
            return resumed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /* The event is logged first, so every existing checkpoint is in the log. */
    private void keep(Checkpoint checkpoint) {
        Path unfinished = directory.resolve("unfinished");
        try {
            try (OutputStream out = Files.newOutputStream(unfinished)) {
                checkpoint.write(out);
            }
            write(new Followed.Kept(last + 1));
            Files.move(unfinished, checkpoint(last + 1), StandardCopyOption.ATOMIC_MOVE);
            if (last > 0) {
                Files.delete(checkpoint(last));
            }
            last++;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path checkpoint(int number) {
        return directory.resolve(number + CHECKPOINT);
    }

    private void write(Followed what) {
        try {
            story.write(what.line());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
