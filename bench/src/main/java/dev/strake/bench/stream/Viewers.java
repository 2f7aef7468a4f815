package dev.strake.bench.stream;

import dev.strake.bench.Figures;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * What it costs changes that people look on: each has the page open, which reads all outcomes as they come. Changes with and
 * without viewers beside them have turns of some seconds. The browsers are elsewhere; here somebody only reads.
 */
final class Viewers {

    private static final int TURNS = 10;

    private final Figures figures;
    private final int settle;
    private final int changes;
    private final int count;
    private final URI events;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicLong read = new AtomicLong();

    /**
     * @param settle seconds of the load before the first change that counts
     * @param changes that count, with and without viewers
     * @param count of viewers
     * @param events where outcomes can be read as they come
     */
    Viewers(Figures figures, int settle, int changes, int count, URI events) {
        this.figures = figures;
        this.settle = settle;
        this.changes = changes;
        this.count = count;
        this.events = events;
    }

    /**
     * Measures.
     *
     * @param rate changes a second
     * @param what is changed, for the table
     */
    void measure(Load load, int rate, Subject strake, String what) throws InterruptedException, ExecutionException {
        List<Latencies> alone = new ArrayList<>();
        List<Latencies> beside = new ArrayList<>();
        beside(load, rate, strake, 0, Math.max(rate * settle, rate));
        int each = (changes + TURNS - 1) / TURNS;
        long before = read.get();
        for (int turn = 0; turn < TURNS; turn++) {
            alone.add(load.atRate(strake, rate, Math.min(rate, each), each));
            beside.add(beside(load, rate, strake, Math.min(rate, each), each));
        }
        Latencies without = Latencies.together(alone);
        Latencies with = Latencies.together(beside);
        String at = "%s at %,d/s".formatted(what, rate);
        without.addTo(figures, at + " without viewers");
        with.addTo(figures, at + " with %d viewers".formatted(count));
        figures.addRatio("changes with viewers / without, p50", with.millis(0.5), without.millis(0.5));
        figures.addRatio("changes with viewers / without, p99", with.millis(0.99), without.millis(0.99));
        figures.add("events that each of them read", (read.get() - before) / (double) count, "events");
    }

    private Latencies beside(Load load, int rate, Subject strake, int warmUp, int amount)
            throws InterruptedException, ExecutionException {
        List<Stream<String>> streams = new ArrayList<>();
        List<CompletableFuture<Void>> viewers = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                Stream<String> lines = open();
                streams.add(lines);
                viewers.add(CompletableFuture.runAsync(() -> view(lines), task -> new Thread(task, "viewer").start()));
            }
            Latencies latencies = load.atRate(strake, rate, warmUp, amount);
            for (CompletableFuture<Void> viewer : viewers) {
                if (viewer.isDone()) {
                    viewer.get(); // says why, if it failed
                    throw new IllegalStateException("the events of a viewer ended");
                }
            }
            return latencies;
        } finally {
            streams.forEach(Stream::close);
        }
    }

    private Stream<String> open() throws InterruptedException {
        try {
            HttpResponse<Stream<String>> answer =
                    client.send(HttpRequest.newBuilder(events).build(), BodyHandlers.ofLines());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException("no events, but " + answer.statusCode());
            }
            return answer.body();
        } catch (IOException e) {
            throw new IllegalStateException("events cannot be read", e);
        }
    }

    private void view(Stream<String> lines) {
        lines.filter(line -> line.startsWith("data:")).forEach(line -> read.incrementAndGet());
    }
}
