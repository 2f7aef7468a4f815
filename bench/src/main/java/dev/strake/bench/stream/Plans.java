package dev.strake.bench.stream;

import dev.strake.bench.Figures;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * What it costs to ask, over HTTP, what changes of one document would do: for the answers, and for the changes that go
 * through the pipeline meanwhile. Changes with and without such questions beside them have turns of some seconds.
 */
final class Plans {

    private static final int TURNS = 10;
    private static final int MOST_ALONE = 300;

    private final Figures figures;
    private final int settle;
    private final int changes;
    private final int perSecond;
    private final URI uri;
    private final IntFunction<byte[]> bodies;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private int asked;

    /**
     * @param settle seconds of the load before the first change that counts
     * @param changes that count, with and without plans
     * @param perSecond plans
     * @param uri to post the bodies of changes to
     * @param bodies of changes of one document, none of which is published
     */
    Plans(Figures figures, int settle, int changes, int perSecond, URI uri, IntFunction<byte[]> bodies) {
        this.figures = figures;
        this.settle = settle;
        this.changes = changes;
        this.perSecond = perSecond;
        this.uri = uri;
        this.bodies = bodies;
    }

    /**
     * Measures.
     *
     * @param rate changes a second
     * @param what is changed, for the table
     */
    void measure(Load load, int rate, Subject strake, String what) throws InterruptedException {
        List<Latencies> alone = new ArrayList<>();
        List<Latencies> beside = new ArrayList<>();
        List<Latencies> plans = new ArrayList<>();
        load.atRate(strake, rate, 0, rate * settle);
        beside(load, rate, strake, 0, Math.max(rate * settle, rate), new ArrayList<>());
        int each = (changes + TURNS - 1) / TURNS;
        for (int turn = 0; turn < TURNS; turn++) {
            alone.add(load.atRate(strake, rate, Math.min(rate, each), each));
            beside.add(beside(load, rate, strake, Math.min(rate, each), each, plans));
        }
        Latencies without = Latencies.together(alone);
        Latencies with = Latencies.together(beside);
        String at = "%s at %,d/s".formatted(what, rate);
        without.addTo(figures, at + " without plans");
        with.addTo(figures, at + " with %d plans a second".formatted(perSecond));
        figures.addRatio("changes with plans / without, p50", with.millis(0.5), without.millis(0.5));
        figures.addRatio("changes with plans / without, p99", with.millis(0.99), without.millis(0.99));
        add("a plan beside these changes", Latencies.together(plans));
        int single = Math.min(changes, MOST_ALONE);
        Latencies planned = planned(single);
        Latencies published = load.atRate(strake, perSecond, 0, single);
        add("a plan with nothing beside it", planned);
        add("the same change published, %d a second".formatted(perSecond), published);
        figures.addRatio("planning a change / publishing it, p50", planned.millis(0.5), published.millis(0.5));
    }

    private void add(String what, Latencies latencies) {
        figures.add(what + ", p50", latencies.millis(0.5), "ms");
        figures.add(what + ", p99", latencies.millis(0.99), "ms");
    }

    private Latencies beside(Load load, int rate, Subject strake, int warmUp, int count, List<Latencies> plans)
            throws InterruptedException {
        try (Asking asking = new Asking()) {
            Latencies latencies = load.atRate(strake, rate, warmUp, count);
            plans.add(asking.end());
            return latencies;
        }
    }

    private Latencies planned(int count) throws InterruptedException {
        try (Asking asking = new Asking()) {
            return asking.end(count);
        }
    }

    /** Plans at the rate, one after the other, each measured from the time at which it was meant to be asked for. */
    private final class Asking implements AutoCloseable {

        private final List<Long> nanos = new ArrayList<>();
        private final Thread thread = new Thread(this::ask, "plans");
        private volatile int atLeast = Integer.MAX_VALUE;
        private volatile boolean closed;
        private Exception failure;

        Asking() {
            thread.start();
        }

        private void ask() {
            try {
                long start = System.nanoTime();
                while (!closed && nanos.size() < atLeast) {
                    long intended = start + nanos.size() * 1_000_000_000L / perSecond;
                    HttpRequest request = HttpRequest.newBuilder(uri)
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofByteArray(bodies.apply(asked++)))
                            .build();
                    while (System.nanoTime() < intended) {
                        LockSupport.parkNanos(intended - System.nanoTime());
                    }
                    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
                    nanos.add(System.nanoTime() - intended);
                    if (answer.statusCode() != 200) {
                        throw new IOException("no plan, but " + answer.statusCode() + ": " + answer.body());
                    }
                }
            } catch (IOException | InterruptedException e) {
                failure = e;
            }
        }

        /** Those that were made up to now, and the one that is being made. */
        Latencies end() throws InterruptedException {
            return end(1);
        }

        /** So many, or more if they are there already. */
        Latencies end(int count) throws InterruptedException {
            atLeast = count;
            thread.join();
            if (failure != null) {
                throw new IllegalStateException("plans cannot be measured", failure);
            }
            return new Latencies(nanos.stream().mapToLong(Long::longValue).toArray(), 0);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
