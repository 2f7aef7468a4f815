package dev.strake.remote.fetch.source;

import dev.strake.engine.tree.Hasher;
import dev.strake.remote.fetch.policy.Address;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchException.Code;
import dev.strake.remote.fetch.policy.FetchPolicy;
import dev.strake.remote.fetch.resource.Hidden;
import dev.strake.remote.fetch.source.AnswerReader.Step;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/**
 * Sends HTTP requests within the policy. A connection uses only addresses that the policy has checked, so a later
 * change in DNS has no effect. Redirects are followed here: the policy checks each target, and only a target with the
 * same scheme, host and port receives the headers of the resource.
 */
public final class HttpSource implements AutoCloseable {

    private static final int MOST_REDIRECTS = 5;
    private static final long ROOM = 128L << 20;

    /** Headers that the HTTP client sets. */
    private static final Set<String> OURS =
            Set.of("host", "content-length", "transfer-encoding", "connection", "accept-encoding", "te", "upgrade");

    private final FetchPolicy policy;
    private final AnswerReader reader;
    private final CloseableHttpClient client;
    private final ScheduledExecutorService clock;
    private final SharedAnswers answers = new SharedAnswers(ROOM);

    public HttpSource(FetchPolicy policy) {
        this.policy = policy;
        this.reader = new AnswerReader(policy.maxBytes());
        Timeout timeout = Timeout.ofMilliseconds(policy.timeout().toMillis());
        this.client = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setDnsResolver(resolver(policy))
                        .setDefaultConnectionConfig(ConnectionConfig.custom()
                                .setConnectTimeout(timeout)
                                .setSocketTimeout(timeout)
                                .build())
                        .setDefaultSocketConfig(
                                SocketConfig.custom().setSoTimeout(timeout).build())
                        .setMaxConnPerRoute(4)
                        .setMaxConnTotal(64)
                        .build())
                .disableAuthCaching()
                .disableAutomaticRetries()
                .disableContentCompression()
                .disableCookieManagement()
                .disableRedirectHandling()
                .setUserAgent("strake")
                .build();
        this.clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "fetch-deadlines");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Resolves host names to the addresses that the policy allows. */
    public static DnsResolver resolver(FetchPolicy policy) {
        return new DnsResolver() {
            @Override
            public InetAddress[] resolve(String host) throws UnknownHostException {
                try {
                    return policy.resolve(host);
                } catch (FetchException e) {
                    UnknownHostException handedOn = new UnknownHostException(e.getMessage());
                    handedOn.initCause(e);
                    throw handedOn;
                }
            }

            @Override
            public String resolveCanonicalHostname(String host) {
                return host;
            }
        };
    }

    /** Adds headers to a request at the moment it is sent. */
    interface Signing {

        Signing NONE = address -> Map.of();

        /** Returns the headers that authenticate a request to this address only. */
        Map<String, Hidden> headers(Address address) throws FetchException;
    }

    /**
     * Gets an address. Equal requests share the answer.
     *
     * @param since the earliest time at which the answer may have been received, as {@link System#nanoTime}
     * @throws FetchException if the request fails
     */
    public HttpAnswer get(Address address, Map<String, Hidden> headers, long since) throws FetchException {
        return get(address, headers, Map.of(), Signing.NONE, since);
    }

    /**
     * Gets an address, with additional headers that differ for each request.
     *
     * @param marks what distinguishes requests besides address and headers: signing key, version. Marks are not sent
     */
    public HttpAnswer get(
            Address address, Map<String, Hidden> headers, Map<String, Hidden> marks, Signing signing, long since)
            throws FetchException {
        StringBuilder question = new StringBuilder(address.uri().toString());
        new TreeMap<>(marks)
                .forEach((name, value) ->
                        question.append('\n').append(name).append('=').append(value.text()));
        new TreeMap<>(headers)
                .forEach((name, value) -> question.append('\n')
                        .append(name.toLowerCase(Locale.ROOT))
                        .append(':')
                        .append(value.text()));
        String hashed = Hasher.hex(question.toString());
        return answers.get(hashed, since, last -> fetch(address, headers, signing, last));
    }

    private HttpAnswer fetch(Address first, Map<String, Hidden> headers, Signing signing, Optional<HttpAnswer> last)
            throws FetchException {
        Address address = first;
        Map<String, Hidden> sent = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sent.putAll(headers);
        sent.putAll(signing.headers(first));
        for (int redirects = 0; ; redirects++) {
            policy.check(address);
            Step step = step(request("GET", address, sent, last), address, last);
            if (step.answer() != null) {
                return step.answer();
            }
            if (redirects == MOST_REDIRECTS) {
                throw new FetchException(Code.ANSWER, first + ": more than " + MOST_REDIRECTS + " redirects");
            }
            Address next = step.redirect();
            if (!Set.of("http", "https").contains(next.scheme())
                    || (address.scheme().equals("https") && next.scheme().equals("http"))) {
                throw new FetchException(
                        Code.REFUSED, address + ": redirects from " + address.scheme() + " to " + next.scheme());
            }
            // The condition refers to the first address; another address has its own state.
            last = address.isSameOrigin(next) ? last : Optional.empty();
            sent = address.isSameOrigin(next) ? sent : Map.of();
            address = next;
        }
    }

    /**
     * Posts a form. Does not follow redirects.
     *
     * @throws FetchException if the status is not 200; the message never quotes the form
     */
    HttpAnswer post(Address address, String form) throws FetchException {
        policy.check(address);
        HttpUriRequestBase request = request("POST", address, Map.of(), Optional.empty());
        request.setEntity(
                new ByteArrayEntity(form.getBytes(StandardCharsets.UTF_8), ContentType.APPLICATION_FORM_URLENCODED));
        Step step = step(request, address, Optional.empty());
        if (step.answer() == null) {
            throw new FetchException(Code.ANSWER, address + ": answers with a redirect, which is not followed here");
        }
        return step.answer();
    }

    /**
     * Sends a request as it is, within the policy. The caller reads the response, and cancels it if it takes too long.
     *
     * @throws IOException if there is no response; the message never quotes the request
     */
    ClassicHttpResponse send(HttpUriRequestBase request, Address address) throws IOException {
        try {
            policy.check(address);
            return client.executeOpen(null, request, null);
        } catch (IOException | RuntimeException e) {
            throw failure(e, address, false);
        }
    }

    private static HttpUriRequestBase request(
            String method, Address address, Map<String, Hidden> headers, Optional<HttpAnswer> last) {
        HttpUriRequestBase request = new HttpUriRequestBase(method, URI.create(plain(address)));
        headers.forEach((name, value) -> {
            if (!OURS.contains(name.toLowerCase(Locale.ROOT))) {
                request.setHeader(name, value.text());
            }
        });
        request.setHeader("Accept-Encoding", "gzip");
        last.flatMap(answer -> answer.header("etag")).ifPresent(etag -> request.setHeader("If-None-Match", etag));
        last.flatMap(answer -> answer.header("last-modified"))
                .ifPresent(time -> request.setHeader("If-Modified-Since", time));
        return request;
    }

    /* Removes the fragment, which servers do not receive. */
    private static String plain(Address address) {
        String text = address.uri().toString();
        return text.indexOf('#') < 0 ? text : text.substring(0, text.indexOf('#'));
    }

    private Step step(HttpUriRequestBase request, Address address, Optional<HttpAnswer> last) throws FetchException {
        AtomicBoolean isLate = new AtomicBoolean();
        Future<?> deadline = clock.schedule(
                () -> {
                    isLate.set(true);
                    request.cancel();
                },
                policy.timeout().toMillis(),
                TimeUnit.MILLISECONDS);
        Step step = null;
        try (ClassicHttpResponse response = client.executeOpen(null, request, null)) {
            try {
                step = reader.read(response, address, last);
            } finally {
                if (step == null || step.answer() == null) {
                    request.cancel(); // before close(), which would read the rest, possibly without end
                }
            }
        } catch (IOException | RuntimeException e) {
            if (step == null) { // otherwise only close() failed, after a complete answer
                throw failure(e, address, isLate.get());
            }
        } finally {
            deadline.cancel(false);
        }
        return step;
    }

    /* The messages of these exceptions are dropped, because some of them quote the request. */
    private FetchException failure(Exception e, Address address, boolean isLate) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof FetchException told) {
                return told;
            }
        }
        if (isLate || e instanceof SocketTimeoutException) {
            return new FetchException(
                    Code.UNREACHABLE,
                    "%s: did not answer within %d s"
                            .formatted(address, policy.timeout().toSeconds()));
        }
        String how = e instanceof ConnectionClosedException || e instanceof MessageConstraintException
                ? "the answer breaks off"
                : e instanceof SSLException ? "the connection is not trusted" : "the connection failed";
        return new FetchException(
                Code.UNREACHABLE,
                "%s: %s (%s)".formatted(address, how, e.getClass().getSimpleName()));
    }

    @Override
    public void close() {
        clock.shutdownNow();
        client.close(CloseMode.IMMEDIATE);
    }
}
