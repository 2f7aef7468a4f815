package dev.strake.server.http;

import dev.strake.server.access.AccessControl;
import dev.strake.server.access.AccessControl.Allowed;
import dev.strake.server.access.AccessControl.Forbidden;
import dev.strake.server.access.AccessControl.Unknown;
import dev.strake.server.access.AccessControl.Verdict;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A small HTTP server on Jetty's.
 *
 * <pre>
 *   connections      bounded; idle ones, and such as do not come to the end of a header, are closed
 *   Jetty's threads  read headers, refuse what can be refused, never wait
 *   lanes            make the answers, each with threads and places of its own
 * </pre>
 */
public final class HttpEndpoint implements AutoCloseable {

    private static final int MOST_CONNECTIONS = 4_096;
    private static final int MOST_HEADER_BYTES = 16 << 10;

    /** Acceptor, selector, and those that handle what was read. */
    private static final int THREADS = 8;

    private static final long IDLE_MILLIS = 20_000;

    private static final Response BUSY =
            Response.tryAgain("Busy", "Too many answers are under way. Ask again in a moment.");

    private final Server server;
    private final ServerConnector connector;
    private final List<Lane> lanes;

    private HttpEndpoint(Server server, ServerConnector connector, List<Lane> lanes) {
        this.server = server;
        this.connector = connector;
        this.lanes = lanes;
    }

    /**
     * Starts to answer.
     *
     * @param address where to listen; port 0 is any free one
     * @param hosts by what names clients may call this server
     * @param access who may ask for what
     * @param lanes whose routes are tried in order, the first that fits answers; closed with this endpoint
     * @throws BindException if the port is busy or the address not one of this machine
     */
    public static HttpEndpoint start(InetSocketAddress address, Hosts hosts, AccessControl access, List<Lane> lanes)
            throws IOException {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, THREADS);
        threads.setName("http");
        threads.setDaemon(true);
        Server server = new Server(threads);
        HttpConfiguration settings = new HttpConfiguration();
        settings.setSendServerVersion(false);
        settings.setRequestHeaderSize(MOST_HEADER_BYTES);
        settings.setUriCompliance(
                UriCompliance.UNSAFE); // paths are split before they are decoded, and decoded strictly
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(settings));
        connector.setHost(address.getHostString());
        connector.setPort(address.getPort());
        connector.setIdleTimeout(IDLE_MILLIS);
        connector.setAcceptQueueSize(1_024);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
        connector.addBean(new SlowHeaders(connector));
        server.setErrorHandler(new Refusals());
        server.setHandler(new Dispatch(hosts, access, lanes));
        HttpEndpoint endpoint = new HttpEndpoint(server, connector, lanes);
        try {
            connector.open();
            server.start();
        } catch (Exception e) {
            endpoint.close();
            Optional<BindException> busy = bindFailure(e);
            throw busy.isPresent() ? unbindable(address, busy.get()) : new IOException("HTTP cannot start", e);
        }
        return endpoint;
    }

    private static Optional<BindException> bindFailure(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof BindException bind) {
                return Optional.of(bind);
            }
        }
        return Optional.empty();
    }

    private static BindException unbindable(InetSocketAddress address, BindException cause) {
        BindException readable =
                new BindException("HTTP cannot listen on %s port %d: %s. Choose another port with --http-port."
                        .formatted(address.getHostString(), address.getPort(), cause.getMessage()));
        readable.initCause(cause);
        return readable;
    }

    /** All that can be asked for here. */
    public List<Route> routes() {
        return lanes.stream().flatMap(lane -> lane.routes().stream()).toList();
    }

    public int port() {
        return connector.getLocalPort();
    }

    /** Stops listening; requests under way are cut off. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("HTTP does not stop", e);
        } finally {
            lanes.forEach(Lane::close);
        }
    }

    /** Finds who answers. Runs on Jetty's threads. */
    private static final class Dispatch extends Handler.Abstract.NonBlocking {

        private final Hosts hosts;
        private final AccessControl access;
        private final List<Lane> lanes;

        Dispatch(Hosts hosts, AccessControl access, List<Lane> lanes) {
            this.hosts = hosts;
            this.access = access;
            this.lanes = lanes;
        }

        @Override
        public boolean handle(
                org.eclipse.jetty.server.Request request, org.eclipse.jetty.server.Response response, Callback end) {
            if (!hosts.allow(request)) {
                refuse(response, end, Response.problem(421, "MisdirectedRequest", hosts.refusal()));
            } else {
                try {
                    dispatch(request, response, end);
                } catch (IllegalArgumentException e) {
                    refuse(response, end, Response.problem(400, "BadRequest", e.getMessage()));
                }
            }
            return true;
        }

        private void dispatch(
                org.eclipse.jetty.server.Request request, org.eclipse.jetty.server.Response response, Callback end) {
            String path = request.getHttpURI().getPath();
            List<String> segments = Target.segments(path == null ? "" : path);
            List<String> methods = new ArrayList<>();
            for (Lane lane : lanes) {
                for (Route route : lane.routes()) {
                    Optional<Map<String, String>> captured = route.match(segments);
                    if (captured.isPresent() && route.isAskedBy(request.getMethod())) {
                        judge(lane, route, captured.get(), request, response, end);
                        return;
                    } else if (captured.isPresent()) {
                        methods.add(route.methods());
                    }
                }
            }
            if (!methods.isEmpty()) {
                String known = String.join(", ", methods) + ", OPTIONS";
                if (request.getMethod().equals("OPTIONS")) {
                    tell(known, response, end);
                } else {
                    response.getHeaders().put(HttpHeader.ALLOW, known);
                    refuse(
                            response,
                            end,
                            Response.problem(405, "MethodNotAllowed", "This is answered to " + known + "."));
                }
                return;
            }
            if (request.getMethod().equals("OPTIONS")) {
                tell(Refusals.METHODS, response, end); // also of *, which is all that is here
            } else {
                refuse(response, end, Response.problem(404, "NotFound", "There is nothing at this path."));
            }
        }

        private void judge(
                Lane lane,
                Route route,
                Map<String, String> captured,
                org.eclipse.jetty.server.Request request,
                org.eclipse.jetty.server.Response response,
                Callback end) {
            if (route.takesBody() && Hosts.isOfPageFromElsewhere(request)) {
                refuse(
                        response,
                        end,
                        Response.problem(403, "ForeignOrigin", "A page of another origin may not ask for this."));
                return;
            }
            String path = request.getHttpURI().getPath();
            String query = request.getHttpURI().getQuery();
            String authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
            String workspace = captured.get("workspace");
            Supplier<Verdict> judge = () -> access.judge(route.permission(), authorization, workspace);
            Verdict verdict = judge.get();
            if (verdict instanceof Allowed allowed) {
                Request asked = new Request(
                        path + (query == null ? "" : "?" + query),
                        captured,
                        Target.parameters(query, route.parameters()),
                        request.getHeaders()::get,
                        allowed.principal(),
                        () -> judge.get() instanceof Allowed now ? Optional.of(now.principal()) : Optional.empty(),
                        null);
                answer(lane, route, asked, request, response, end);
            } else {
                refuse(verdict, response, end);
            }
        }

        /* The two words of RFC 6750 for a token that is not valid, and for one that does not allow enough. */
        private static void refuse(Verdict verdict, org.eclipse.jetty.server.Response response, Callback end) {
            if (verdict instanceof Unknown unknown) {
                response.getHeaders()
                        .put(
                                HttpHeader.WWW_AUTHENTICATE,
                                "Bearer realm=\"strake\"" + (unknown.hadToken() ? ", error=\"invalid_token\"" : ""));
                refuse(response, end, Response.problem(401, "Unauthorized", unknown.message()));
            } else if (verdict instanceof Forbidden forbidden) {
                response.getHeaders()
                        .put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"strake\", error=\"insufficient_scope\"");
                refuse(response, end, Response.problem(403, "Forbidden", forbidden.message()));
            }
        }

        private static void tell(String methods, org.eclipse.jetty.server.Response response, Callback end) {
            response.getHeaders().put(HttpHeader.ALLOW, methods);
            response.setStatus(204);
            response.write(true, null, end);
        }

        /* A body is read when there is a place for its answer, so no more bodies are in memory than there are places. */
        private static void answer(
                Lane lane,
                Route route,
                Request asked,
                org.eclipse.jetty.server.Request request,
                org.eclipse.jetty.server.Response response,
                Callback end) {
            AtomicReference<Supplier<Response>> question =
                    new AtomicReference<>(() -> route.answer().apply(asked));
            // Without either of the two headers no body comes.
            boolean isEmpty = request.getLength() <= 0 && !request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
            int room = route.takesBody() && !isEmpty ? lane.takeRoom(request.getLength()) : 0;
            if (room < 0) {
                refuse(response, end, BUSY);
                return;
            }
            Answering answering = new Answering(lane, () -> question.get().get(), response, end, room);
            if (!lane.enter(answering)) {
                lane.giveRoomBack(room);
                refuse(response, end, BUSY);
            } else if (route.takesBody()) {
                Content.Source.asRetainableByteBuffer(
                        request,
                        ByteBufferPool.NON_POOLING,
                        false,
                        lane.mostBodyBytes(),
                        Promise.from(
                                body -> {
                                    Request whole = asked.with(body.getByteBuffer()); // of no pool
                                    question.set(() -> route.answer().apply(whole));
                                    run(lane, answering);
                                },
                                failure -> {
                                    if (failure instanceof IllegalStateException) {
                                        question.set(() -> tooLarge(lane.mostBodyBytes()));
                                        run(lane, answering);
                                    } else {
                                        answering.failed(failure);
                                    }
                                }));
            } else {
                run(lane, answering);
            }
        }

        private static Response tooLarge(int most) {
            return Response.problem(
                    413,
                    "TooLarge",
                    "The body has more than " + most + " bytes. Send it in several changes, or through Kafka.");
        }

        private static void run(Lane lane, Answering answering) {
            if (!lane.run(answering)) {
                answering.failed(new IOException("this instance is stopping"));
            }
        }

        private static void refuse(org.eclipse.jetty.server.Response to, Callback end, Response refusal) {
            Answering.setHead(to, refusal);
            to.write(true, ByteBuffer.wrap(refusal.content()), end);
        }
    }
}
