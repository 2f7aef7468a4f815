package dev.strake.testing.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A real API server. Requests are forwarded unchanged. Everything that a test creates is removed after it. */
final class RealCluster extends TestCluster {

    private static final int MOST_TRIES = 10;

    private final Config config;
    private final HttpClient http;
    private final String namespace = "strake-test-" + Long.toHexString(System.nanoTime());
    private final ConcurrentSkipListSet<String> made = new ConcurrentSkipListSet<>();

    RealCluster(Path kubeconfig) throws IOException {
        config = Config.fromKubeconfig(kubeconfig.toFile());
        http = new JdkHttpClientFactory().newBuilder(config).build();
        put(
                "/api/v1/namespaces/" + namespace,
                "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s'}}".formatted(namespace));
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public JsonNode object(String path) {
        Answer answer = sent("GET", path, null);
        return answer.code() == 404 ? null : fine("GET", path, answer);
    }

    @Override
    public SortedMap<String, JsonNode> objects() {
        SortedMap<String, JsonNode> objects = new TreeMap<>();
        for (String path : made) {
            JsonNode object = object(path);
            if (object != null) {
                objects.put(path, object);
            }
        }
        return objects;
    }

    @Override
    public void put(String path, String json) {
        JsonNode live = object(path);
        if (live == null) {
            String collection = path.substring(0, path.lastIndexOf('/'));
            fine("POST", collection, sent("POST", collection, json(json)));
        } else {
            fine("PUT", path, sent("PUT", path, json(json)));
        }
    }

    /* Retries on conflicts, because a controller may write first. */
    @Override
    public void change(String path, Consumer<ObjectNode> how) {
        for (int attempt = 1; ; attempt++) {
            ObjectNode object = (ObjectNode) object(path);
            how.accept(object);
            Answer answer = sent("PUT", path, object);
            if (answer.code() != 409 || attempt == MOST_TRIES) {
                fine("PUT", path, answer);
                return;
            }
        }
    }

    @Override
    public void remove(String path) {
        fine("DELETE", path, deleted(path));
    }

    /* The HTTP client sends a request without a body as GET, so this one has a body. */
    private Answer deleted(String path) {
        return sent("DELETE", path, json("{'apiVersion':'v1','kind':'DeleteOptions'}"));
    }

    private static JsonNode fine(String method, String path, Answer answer) {
        if (answer.code() >= 300) {
            throw new IllegalStateException(method + " " + path + ": " + answer);
        }
        return answer.body();
    }

    private Answer sent(String method, String path, JsonNode body) {
        return handle(new Received(method, path, null, body == null ? null : "application/json", null, body));
    }

    @Override
    Answer handle(Received received) {
        try {
            String query = received.query() == null ? "" : "?" + received.query();
            HttpRequest.Builder request = http.newHttpRequestBuilder()
                    .uri(URI.create(config.getMasterUrl().replaceAll("/+$", "") + received.path() + query));
            request.setHeader("Accept", "application/json");
            if (received.user() != null) {
                request.setHeader("Impersonate-User", received.user());
            }
            request.method(
                    received.method(),
                    received.contentType(),
                    received.body() == null ? null : JSON.writeValueAsString(received.body()));
            HttpResponse<byte[]> answer =
                    http.sendAsync(request.build(), byte[].class).get(10, TimeUnit.MINUTES);
            if (received.method().equals("POST") && answer.isSuccessful()) {
                made.add(received.path() + "/"
                        + received.body().at("/metadata/name").asText());
            }
            byte[] said = answer.body();
            return new Answer(
                    answer.code(), said == null || said.length == 0 ? JSON.createObjectNode() : tree(answer, said));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(received + " has no answer", e);
        }
    }

    /* A server sends some errors as plain text. */
    private static JsonNode tree(HttpResponse<byte[]> answer, byte[] said) throws IOException {
        String type = answer.header("Content-Type");
        return type != null && type.contains("json")
                ? JSON.readTree(said)
                : JSON.createObjectNode().put("message", new String(said, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        super.close();
        for (String path : made.descendingSet()) { // objects before their namespaces
            JsonNode live = object(path);
            if (live != null) {
                boolean isHeldHere = live.at("/metadata/finalizers").toString().contains("example.org/");
                if (isHeldHere) {
                    change(path, object -> object.withObject("metadata").remove("finalizers"));
                }
                deleted(path);
            }
        }
        http.close();
    }
}
