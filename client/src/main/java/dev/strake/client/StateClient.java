package dev.strake.client;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** Queries the state of workspaces from a running Strake. */
public final class StateClient {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int PAGE = 1_000;
    private static final String REVISION = "revision";
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

    private final URI base;
    private final Duration timeout;
    private final Optional<String> token;
    private final HttpClient http;

    /** The service does not have the requested resource. The message is the service's. */
    public static final class NotFoundException extends Exception {

        NotFoundException(String message) {
            super(message);
        }
    }

    /** The service rejects the request. The message is the service's. */
    public static class RefusedException extends RuntimeException {

        RefusedException(String message) {
            super(message);
        }
    }

    /** The change is too large for HTTP. The stream accepts it, also as a dry run. */
    public static final class TooLargeException extends RefusedException {

        TooLargeException(String message) {
            super(message);
        }
    }

    /**
     * Creates a client of one instance.
     *
     * @param base its address, without a path
     * @throws IllegalArgumentException as in the other constructors, if the address or the token is not valid
     */
    public StateClient(URI base) {
        this(base, TIMEOUT, Optional.empty());
    }

    /**
     * Creates a client of one instance with a timeout and a token.
     *
     * @param timeout for each response
     * @param token the bearer token, one word of printable ASCII; empty if the service requires none
     */
    public StateClient(URI base, Duration timeout, Optional<String> token) {
        this(base, timeout, token, Optional.empty());
    }

    /**
     * As the constructor without {@code trusted}, for a certificate of an authority that Java does not trust.
     *
     * @param trusted made by {@link dev.strake.client.tls.TrustedCertificates#context}; Java's default if empty
     */
    public StateClient(URI base, Duration timeout, Optional<String> token, Optional<SSLContext> trusted) {
        if (base.getHost() == null || !("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
            throw new IllegalArgumentException(
                    "'%s' is not an address of Strake, which is http://HOST:PORT or https://HOST:PORT".formatted(base));
        }
        if (token.isPresent() && !TOKEN.matcher(token.get()).matches()) { // HTTP's own message would quote it
            throw new IllegalArgumentException(
                    "the token is not one word of printable ASCII; remove the line break if it comes from a file");
        }
        this.base = base;
        this.timeout = timeout;
        this.token = token;
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5));
        trusted.ifPresent(client::sslContext);
        this.http = client.build();
    }

    /**
     * Returns the answer to a query about a workspace.
     *
     * @param path below the workspace, such as {@code diff/1/2} or {@code documents?revision=3}
     * @throws NotFoundException if there is no such workspace or revision
     * @throws KafkaUnavailableException if the service does not answer, or is not ready
     */
    public MapValue ask(String workspace, String path) throws NotFoundException, InterruptedException {
        return answer(HttpRequest.newBuilder(uri(workspace, path)));
    }

    /**
     * Returns the public key of the installation in its file format. Publishers seal secret documents with it.
     *
     * @throws NotFoundException if the installation has no keys
     * @throws KafkaUnavailableException if the service does not answer
     */
    public byte[] publicKey() throws NotFoundException, InterruptedException {
        return JsonBytes.of(answer(HttpRequest.newBuilder(base.resolve("/secrets/public-key"))));
    }

    /**
     * Returns the number of a revision.
     *
     * @param name a tag, {@code head}, or {@code published}: the revision that consumers hold
     * @throws NotFoundException if there is no such workspace or revision
     * @throws KafkaUnavailableException if the service does not answer, or is not ready
     */
    public long revision(String workspace, String name) throws NotFoundException, InterruptedException {
        MapValue answer = ask(workspace, "documents?limit=1&revision=" + encoded(name));
        if (!(answer.get(REVISION) instanceof Num number)) {
            throw new KafkaUnavailableException("The server at %s is not Strake.".formatted(base));
        }
        return Long.parseLong(number.literal());
    }

    /**
     * Plans a change: returns members of its outcome, and which rendered documents would differ.
     *
     * @param against the number or a tag of the revision to plan against; the head if empty
     * @param cleartextSecrets whether to return secrets in clear text, not redacted; the token needs the permission
     * @throws TooLargeException if the change has several parts, or more bytes than the service accepts here
     * @throws RefusedException if the service rejects the request
     * @throws KafkaUnavailableException if the service does not answer, or is not ready
     */
    public MapValue plan(NewChange change, Optional<String> against, boolean cleartextSecrets)
            throws NotFoundException, InterruptedException {
        if (change.parts().size() > 1) {
            throw new TooLargeException(
                    "The change is too large to be planned over HTTP. Publish it through Kafka as a dry run.");
        }
        return answer(new ChangeRequest(base, change).plan(against, cleartextSecrets));
    }

    /**
     * Publishes a change, and waits for its outcome. Does not transmit the origins of the documents.
     *
     * @param patience how long the service may wait for the outcome, at most 120 s
     * @return the outcome, also of a rejected change; empty if it does not arrive in time: then the change is published,
     *     or about to be
     * @throws RefusedException if the service refuses the request, so that nothing is published
     * @throws KafkaUnavailableException if the service does not answer, or cannot publish now
     */
    public Optional<Outcome> publish(NewChange change, Duration patience)
            throws NotFoundException, InterruptedException {
        HttpRequest.Builder request = new ChangeRequest(base, change).publish(patience);
        HttpResponse<byte[]> response = send(request, patience.plus(timeout));
        MapValue answer = object(response);
        if (response.statusCode() == 202) {
            return Optional.empty();
        }
        if (!answer.has("changeId")) {
            throw refusal(response, answer);
        }
        return Optional.of(OutcomeJson.read(response.body()));
    }

    private URI uri(String workspace, String path) {
        return base.resolve("/workspaces/" + encoded(workspace) + "/" + path);
    }

    /** Returns a text as a segment of a path, or a value in a query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private MapValue answer(HttpRequest.Builder question) throws NotFoundException, InterruptedException {
        HttpResponse<byte[]> response = send(question, timeout);
        MapValue answer = object(response);
        if (response.statusCode() == 200) {
            return answer;
        }
        throw refusal(response, answer);
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder question, Duration patience) throws InterruptedException {
        token.ifPresent(text -> question.header("Authorization", "Bearer " + text));
        AtomicBoolean hasBegun = new AtomicBoolean();
        try {
            return http.send(question.timeout(patience).build(), head -> {
                hasBegun.set(true);
                return HttpResponse.BodySubscribers.ofByteArray();
            });
        } catch (SSLException e) {
            throw new KafkaUnavailableException(
                    "TLS with %s failed: %s. Check that its authority is trusted (--ca-file, or STRAKE_CA_FILE), that its certificate has the name in --url, and that it speaks TLS."
                            .formatted(base, e.getMessage()),
                    e);
        } catch (IOException e) {
            if (hasBegun.get()) {
                throw new KafkaUnavailableException(
                        "Strake at %s broke off its answer. Try again; if it happens again, its log says why."
                                .formatted(base),
                        e);
            }
            boolean mayWantTls = "http".equals(base.getScheme()) && !(e instanceof ConnectException);
            throw new KafkaUnavailableException(
                    "No Strake answers at %s. Check that 'strake up' or 'strake serve' runs, and --url.".formatted(base)
                            + (mayWantTls ? " If it speaks TLS, the address begins with https://." : ""),
                    e);
        }
    }

    /* Returns or throws the exception for a status other than the expected one. */
    private RuntimeException refusal(HttpResponse<byte[]> response, MapValue answer) throws NotFoundException {
        String message = answer.get("message") instanceof Text text ? text.value() : "HTTP " + response.statusCode();
        if (response.statusCode() == 404) {
            throw new NotFoundException(message);
        }
        if (response.statusCode() == 413) {
            return new TooLargeException(message);
        }
        if (response.statusCode() >= 400 && response.statusCode() < 500) {
            return new RefusedException(message);
        }
        return new KafkaUnavailableException("Strake at %s: %s".formatted(base, message));
    }

    /**
     * A list, and its context.
     *
     * @param what the other members of its first page, such as the revision
     * @param items are read page by page, with one page in memory; iterating may throw a
     *     {@link KafkaUnavailableException}
     */
    public record Listing(MapValue what, Iterable<Value> items) {}

    /** A query parameter. Some parameters may occur several times. */
    public record Parameter(String name, String value) {}

    /**
     * Returns a list of a workspace, with all items of one revision.
     *
     * @param list such as {@code documents}
     * @param parameters as the service documents them, except those for paging
     * @throws NotFoundException if there is no such workspace or revision
     * @throws RefusedException if the service rejects the request
     * @throws KafkaUnavailableException if the service does not answer, or is not ready
     */
    public Listing list(String workspace, String list, List<Parameter> parameters)
            throws NotFoundException, InterruptedException {
        return list(uri(workspace, list), parameters);
    }

    /**
     * Returns all workspaces, with their heads.
     *
     * @throws KafkaUnavailableException if the service does not answer, or is not ready
     */
    public Listing workspaces() throws NotFoundException, InterruptedException {
        return list(base.resolve("/workspaces"), List.of());
    }

    private Listing list(URI list, List<Parameter> parameters) throws NotFoundException, InterruptedException {
        MapValue first = page(list, parameters, Optional.empty());
        return new Listing(
                first.without("items").without("next"),
                () -> new Pages(base, parameters, first, (same, after) -> page(list, same, after)));
    }

    private MapValue page(URI list, List<Parameter> parameters, Optional<String> after)
            throws NotFoundException, InterruptedException {
        StringBuilder question = new StringBuilder("?limit=" + PAGE);
        parameters.forEach(
                each -> question.append('&').append(each.name()).append('=').append(encoded(each.value())));
        after.ifPresent(cursor -> question.append("&after=").append(cursor));
        return answer(HttpRequest.newBuilder(URI.create(list.toString() + question)));
    }

    private MapValue object(HttpResponse<byte[]> response) {
        try {
            Value value = JsonReader.read(response.body());
            if (value instanceof MapValue map) {
                return map;
            }
        } catch (IllegalArgumentException e) {
            throw new KafkaUnavailableException("The server at %s is not Strake.".formatted(base), e);
        }
        throw new KafkaUnavailableException("The server at %s is not Strake.".formatted(base));
    }
}
