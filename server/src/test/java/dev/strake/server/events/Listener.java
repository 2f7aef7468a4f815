package dev.strake.server.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client of server-sent events, based on their specification alone. */
public final class Listener implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final InputStream body;
    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private volatile String lastId = "";

    /** One event; the type {@code closed} at the end of the stream. */
    public record Heard(String type, String data, String id) {}

    private Listener(InputStream body) {
        this.body = body;
        Thread reader = new Thread(this::read, "listener");
        reader.setDaemon(true);
        reader.start();
    }

    /** Connects, and checks that the server accepts the stream. */
    public static Listener to(String url, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).header("Accept", "text/event-stream");
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<InputStream> answer = CLIENT.send(request.build(), BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        return new Listener(answer.body());
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, UTF_8))) {
            String type = "message";
            String data = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    if (!data.isEmpty()) {
                        heard.add(new Heard(type, data, lastId));
                    }
                    type = "message";
                    data = "";
                } else if (line.startsWith("id: ")) {
                    lastId = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    type = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data += line.substring(6);
                } else {
                    assertThat(line).startsWith(":");
                }
            }
            heard.add(new Heard("closed", "", lastId));
        } catch (IOException e) {
            heard.add(new Heard("closed", e.getClass().getSimpleName(), lastId));
        }
    }

    /** Waits for the next event. */
    public Heard next() throws InterruptedException {
        Heard next = heard.poll(60, TimeUnit.SECONDS);
        assertThat(next).as("an event within a minute").isNotNull();
        return next;
    }

    /** Returns the events up to the next one of a type. */
    public List<Heard> until(String type) throws InterruptedException {
        List<Heard> events = new ArrayList<>();
        do {
            events.add(next());
        } while (!events.get(events.size() - 1).type().equals(type));
        return events;
    }

    public String lastId() {
        return lastId;
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
