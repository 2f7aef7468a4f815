package dev.strake.remote.apply.kubernetes;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection to an API server. The client library provides address and authentication. Objects are sent and received
 * as plain trees: the types of the library would change numbers and drop unknown members.
 */
public final class ApiServer implements AutoCloseable {

    static final String JSON = "application/json";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private final HttpClient http;
    private final String address;
    private final String namespace;
    private final boolean actsForAnother;
    private final Listener listener;

    /** Receives a notification for each request. Several threads may call it. */
    public interface Listener {

        /**
         * A request is complete.
         *
         * @param code the status code of the response; 0 if there was none
         */
        void answered(String method, int code);
    }

    private ApiServer(Config config, Listener listener) {
        this.listener = listener;
        this.address = config.getMasterUrl().replaceAll("/+$", "");
        this.namespace = Optional.ofNullable(config.getNamespace()).orElse("default");
        this.actsForAnother = config.getImpersonateUsername() != null
                && !config.getImpersonateUsername().isEmpty();
        // no retries in the client: the caller decides what to retry
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout(Math.toIntExact(PATIENCE.toMillis()));
        this.http = client(config);
    }

    /* The library assumes an RSA key if the PEM of a client key does not name the algorithm. */
    private static HttpClient client(Config config) {
        try {
            return new JdkHttpClientFactory().newBuilder(config).build();
        } catch (KubernetesClientException e) {
            config.setClientKeyAlgo("EC");
            return new JdkHttpClientFactory().newBuilder(config).build();
        }
    }

    /**
     * Creates a connection. Sends no request.
     *
     * @param kubeconfig the file; by default {@code KUBECONFIG}, {@code ~/.kube/config} or the pod's service account
     * @param context the context of the file; by default the current one
     * @param listener notified of each request
     * @throws FileSystemException if the file cannot be used
     */
    public static ApiServer connect(Optional<Path> kubeconfig, Optional<String> context, Listener listener)
            throws IOException {
        if (kubeconfig.isPresent() && !Files.isReadable(kubeconfig.get())) {
            throw new FileSystemException(
                    kubeconfig.get().toString(), null, "there is no such file, or it cannot be read");
        }
        try {
            Config config = kubeconfig.isPresent()
                    ? Config.fromKubeconfig(
                            context.orElse(null), kubeconfig.get().toFile())
                    : Config.autoConfigure(context.orElse(null));
            if (context.isPresent() && !hasContext(config, context.get())) {
                // the library would fall back to the current context, which may be another cluster
                throw new FileSystemException(
                        kubeconfig.map(Path::toString).orElse("kubeconfig"),
                        null,
                        "it has no context " + context.get());
            }
            return new ApiServer(config, listener);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            // the message may quote the content of the file
            throw new FileSystemException(
                    kubeconfig.map(Path::toString).orElse("kubeconfig"), null, "it is not a kubeconfig");
        }
    }

    private static boolean hasContext(Config config, String name) {
        return config.getContexts() != null
                && config.getContexts().stream().anyMatch(context -> name.equals(context.getName()));
    }

    public String address() {
        return address;
    }

    /** Returns the namespace of the context, or of the pod. */
    public String namespace() {
        return namespace;
    }

    /** Returns the object at a path; empty if there is none. */
    Optional<MapValue> get(String path, String user) throws IOException, ApiFailure {
        try {
            return Optional.of(send("GET", path, null, null, user));
        } catch (ApiFailure e) {
            if (e.code() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Sends a request.
     *
     * @param contentType the type of the body; null if there is no body
     * @param user the user to impersonate; null for the user of the kubeconfig
     * @return the body of the response
     * @throws ApiFailure if the server rejects the request
     * @throws IOException if there is no response
     */
    MapValue send(String method, String path, String contentType, MapValue body, String user)
            throws IOException, ApiFailure {
        return send(method, uri(path, null), contentType, body, user);
    }

    /** Returns the response of a dry run. The server stores nothing. */
    MapValue tryOut(String method, String path, String contentType, MapValue body, String user)
            throws IOException, ApiFailure {
        return send(method, uri(path, "dryRun=All"), contentType, body, user);
    }

    private MapValue send(String method, URI address, String contentType, MapValue body, String user)
            throws IOException, ApiFailure {
        HttpRequest.Builder request = http.newHttpRequestBuilder().uri(address);
        request.setHeader("Accept", JSON);
        request.timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        if (user != null) {
            if (actsForAnother) {
                throw new IOException(
                        "the kubeconfig impersonates a user already, so no other can be impersonated; remove its 'as'");
            }
            request.setHeader("Impersonate-User", user);
        }
        // a string can be sent again if a connection breaks; over HTTP/2 an empty body instead of none is an error
        request.method(method, contentType, body == null ? null : JsonBytes.text(body));
        HttpResponse<byte[]> answer;
        try {
            answer = await(request.build());
        } catch (IOException e) {
            listener.answered(method, 0);
            throw e;
        }
        listener.answered(method, answer.code());
        MapValue tree = tree(answer.body());
        if (!answer.isSuccessful()) {
            throw new ApiFailure(answer.code(), tree, retryAfter(answer));
        }
        return tree;
    }

    private URI uri(String path, String query) throws IOException {
        try {
            return URI.create(address + new URI(null, null, path, query, null).toASCIIString());
        } catch (URISyntaxException e) {
            throw new IOException("this is not the path of a request", e);
        }
    }

    private HttpResponse<byte[]> await(HttpRequest request) throws IOException {
        var answer = http.sendAsync(request, byte[].class);
        try {
            return answer.get(2 * PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for " + address);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("%s does not answer within %d s".formatted(address, 2 * PATIENCE.toSeconds()), e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            String words = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
            throw new IOException("%s cannot be reached: %s".formatted(address, words), cause);
        }
    }

    private static MapValue tree(byte[] body) {
        try {
            Value tree = body == null || body.length == 0 ? MapValue.EMPTY : JsonReader.read(body);
            return tree instanceof MapValue map ? map : MapValue.EMPTY;
        } catch (IllegalArgumentException e) {
            return MapValue.EMPTY; // from a proxy: its status code is enough
        }
    }

    private static Duration retryAfter(HttpResponse<byte[]> answer) {
        String seconds = answer.header("Retry-After");
        if (seconds == null || !seconds.matches("[0-9]{1,6}")) {
            return Duration.ZERO;
        }
        Duration asked = Duration.ofSeconds(Long.parseLong(seconds));
        return asked.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : asked;
    }

    @Override
    public void close() {
        http.close();
    }
}
