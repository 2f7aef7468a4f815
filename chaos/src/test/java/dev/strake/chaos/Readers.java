package dev.strake.chaos;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.serdes.text.JsonValues;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Probes and an ordinary reader of HTTP: they ask all the time, and note what was not as it has to be. */
final class Readers implements AutoCloseable {

    private static final Duration HEALTH_IN_TIME = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final List<String> instances;
    private final List<Thread> threads = new ArrayList<>();
    private final List<String> faults = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong probes = new AtomicLong();
    private final AtomicLong slowestProbe = new AtomicLong();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong busy = new AtomicLong();
    private final AtomicLong slowestAnswer = new AtomicLong();
    private volatile boolean done;

    Readers(List<Instance> instances) {
        this.instances = instances.stream().map(Instance::url).toList();
    }

    /** Begins to ask: every instance for its health, and any of them for the documents of workspaces. */
    Readers start(List<String> workspaces) {
        for (String instance : instances) {
            for (String path : List.of("/health/live", "/health/ready")) {
                URI url = URI.create(instance + path);
                repeat("probes", 200, number -> probe(url));
            }
        }
        repeat("reads", 100, number -> {
            String workspace = "/workspaces/" + workspaces.get(number % workspaces.size());
            read(number, workspace, number % 3 == 0 ? "/rendered" : "/documents");
        });
        return this;
    }

    @FunctionalInterface
    private interface Question {
        void ask(int number) throws IOException, InterruptedException;
    }

    private void repeat(String name, long pauseMillis, Question question) {
        Thread thread = new Thread(
                () -> {
                    for (int number = 0; !done; number++) {
                        try {
                            question.ask(number);
                        } catch (IOException | RuntimeException e) {
                            faults.add(name + ": " + e);
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                        LockSupport.parkNanos(pauseMillis * 1_000_000);
                    }
                },
                name);
        thread.start();
        threads.add(thread);
    }

    /* With a connection of its own each time, as an orchestrator has it. */
    private void probe(URI url) throws IOException {
        long begin = System.nanoTime();
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            String request = "GET " + url.getPath() + " HTTP/1.0\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            long millis = (System.nanoTime() - begin) / 1_000_000;
            probes.incrementAndGet();
            slowestProbe.accumulateAndGet(millis, Math::max);
            if (!answer.contains(" 200 ") || millis > HEALTH_IN_TIME.toMillis()) {
                faults.add("%s after %d ms: %s".formatted(url, millis, answer));
            }
        }
    }

    /*
     * Who is told that others are busy, or that the workspace is elsewhere, asks the next instance; instances of a run
     * do not pass questions on, as their ports are known only when they listen.
     */
    private void read(int number, String workspace, String what) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        for (int attempt = 0; !done; attempt++) {
            String url = instances.get((number + attempt) % instances.size()) + workspace;
            HttpResponse<byte[]> response = CLIENT.send(request(url + what), BodyHandlers.ofByteArray());
            if (response.statusCode() == 503) {
                String refusal = new String(response.body(), StandardCharsets.UTF_8);
                if (refusal.contains("Busy")) {
                    busy.incrementAndGet();
                }
                LockSupport.parkNanos(attempt % instances.size() == 0 ? 0 : 1_000_000_000L);
                continue;
            }
            slowestAnswer.accumulateAndGet((System.nanoTime() - begin) / 1_000_000, Math::max);
            if (response.statusCode() == 200) {
                answers.incrementAndGet();
                check(url, what, (MapValue) JsonValues.read(response.body()));
            } else if (response.statusCode() != 404) { // deleted
                faults.add(url + what + ": " + response.statusCode());
            }
            return;
        }
    }

    /* Of documents, a revision is asked for once more in pages, which have to come to the same. */
    private void check(String workspace, String what, MapValue whole) throws IOException, InterruptedException {
        int count = ((ListValue) whole.get("items")).size();
        String revision = ((Num) whole.get("revision")).literal();
        if (what.equals("/documents") && count > 0) {
            String url = workspace + what + "?limit=10000&revision=" + revision;
            HttpResponse<byte[]> again = CLIENT.send(request(url), BodyHandlers.ofByteArray());
            if (again.statusCode() == 200) {
                int paged = ((ListValue) ((MapValue) JsonValues.read(again.body())).get("items")).size();
                if (paged != Math.min(count, 10_000)) {
                    faults.add("%s of revision %s: %d, and then %d".formatted(workspace, revision, count, paged));
                }
            }
        }
    }

    private static HttpRequest request(String url) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE).build();
    }

    /** What was not as it has to be; nothing if all was. */
    List<String> faults() {
        return faults;
    }

    /** Names of the workspaces of ordinary publishers. */
    static List<String> ordinary() {
        return IntStream.range(0, Publishers.WORKSPACES)
                .mapToObj(number -> "ws-" + number)
                .toList();
    }

    @Override
    public void close() {
        done = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d probes, the slowest %,d ms; %,d answers read, the slowest after %,d ms, %,d times busy; %d faults",
                probes.get(),
                slowestProbe.get(),
                answers.get(),
                slowestAnswer.get(),
                busy.get(),
                faults.size());
    }
}
