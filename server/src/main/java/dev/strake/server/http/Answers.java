package dev.strake.server.http;

import static java.util.stream.Collectors.joining;

import dev.strake.serdes.bytes.UnreadableStoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.io.QuietException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Produces the responses of a bulkhead and sends them. The request thread reads the body, and blocks while the client
 * reads the response. A client that reads nothing for the idle timeout of a connection is disconnected.
 */
final class Answers extends Handler.Abstract {

    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private final int mostBodyBytes;
    private final Semaphore bodyKilobytes;
    private final Deadlines deadlines;
    private final ForeignApis foreign;

    Answers(Bulkhead bulkhead, Deadlines deadlines, ForeignApis foreign) {
        this.mostBodyBytes = bulkhead.mostBodyBytes();
        this.bodyKilobytes = new Semaphore(kilobytes(bulkhead.bytesOfBodies()));
        this.deadlines = deadlines;
        this.foreign = foreign;
    }

    /** An authorized request and its route; stored as an attribute of Jetty's request. */
    record Exchange(Route route, Request asked) {

        static final String ATTRIBUTE = Exchange.class.getName();
    }

    private static int kilobytes(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, (bytes + 1023) >> 10);
    }

    /** The client disconnected or is too slow; not logged. */
    private static final class ClientGoneException extends IOException implements QuietException {

        ClientGoneException(Throwable cause) {
            super(cause);
        }
    }

    /* Completes the response whatever is thrown. */
    @Override
    public boolean handle(
            org.eclipse.jetty.server.Request request, org.eclipse.jetty.server.Response to, Callback end) {
        try {
            answer((Exchange) request.getAttribute(Exchange.ATTRIBUTE), request, to);
        } catch (IOException | RuntimeException | Error e) {
            end.failed(e);
            return true;
        }
        end.succeeded();
        return true;
    }

    private void answer(
            Exchange exchange, org.eclipse.jetty.server.Request request, org.eclipse.jetty.server.Response to)
            throws IOException {
        long length = exchange.route().takesBody() ? bodyLength(request) : 0;
        int kilobytes = kilobytes(length < 0 ? mostBodyBytes : Math.min(length, mostBodyBytes));
        if (!bodyKilobytes.tryAcquire(kilobytes)) {
            send(RefusedException.busy().instead(), to);
            return;
        }
        try {
            send(length > mostBodyBytes ? tooLarge() : ask(exchange, request, length), to);
        } catch (ClientGoneException e) {
            throw e;
        } catch (IOException | RuntimeException | Error e) { // StackOverflowError and OutOfMemoryError, too
            boolean isGone = to.isCommitted() && e instanceof IOException;
            if (!isGone) {
                logFailure(e, request, to.isCommitted());
            }
            if (to.isCommitted()) {
                throw e;
            }
            to.reset();
            send(refusal(e), to);
        } finally {
            bodyKilobytes.release(kilobytes);
        }
    }

    /* A request has a body only if one of the two headers is present. */
    private static long bodyLength(org.eclipse.jetty.server.Request request) {
        boolean comes = request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
        return comes ? request.getLength() : 0;
    }

    private Response ask(Exchange exchange, org.eclipse.jetty.server.Request request, long length) throws IOException {
        Request asked = exchange.asked();
        if (exchange.route().takesBody()) {
            byte[] body = read(request, length);
            if (body.length > mostBodyBytes) {
                return tooLarge();
            }
            asked = asked.with(body);
        }
        try {
            return exchange.route().answer().apply(asked);
        } catch (IllegalArgumentException e) {
            return Response.problem(400, "BadRequest", e.getMessage());
        }
    }

    private byte[] read(org.eclipse.jetty.server.Request request, long length) throws ClientGoneException {
        deadlines.expectBody(request, length < 0 ? mostBodyBytes : length);
        try {
            InputStream body = Content.Source.asInputStream(request);
            if (length < 0) {
                return body.readNBytes(mostBodyBytes + 1);
            }
            byte[] whole = new byte[(int) length];
            body.readNBytes(whole, 0, whole.length); // Jetty fails if the body is shorter
            return whole;
        } catch (EofException e) { // how Jetty tells of broken chunks, too
            throw new RefusedException(
                    400, "BadRequest", "The body ended early, or is not in chunks as HTTP has them.");
        } catch (IOException e) {
            throw new ClientGoneException(e);
        } finally {
            deadlines.expectNothing(request);
        }
    }

    private Response tooLarge() {
        return Response.problem(
                413,
                "TooLarge",
                "The body has more than " + mostBodyBytes + " bytes. Send it in several changes, or through Kafka.");
    }

    private void send(Response plain, org.eclipse.jetty.server.Response to) throws IOException {
        Response answer = foreign.formed(to.getRequest(), plain);
        try {
            answer.writeHead(to);
            OutputStream out = org.eclipse.jetty.server.Response.asBufferedOutputStream(to.getRequest(), to);
            if (HttpMethod.HEAD.is(to.getRequest().getMethod())) {
                out.flush(); // commits the response; closing it at once would set the length to 0
            } else {
                answer.body().writeTo(out);
            }
            out.close();
        } finally {
            answer.body().close();
        }
    }

    /* Hides the cause of an internal failure from the client. */
    private static Response refusal(Throwable e) {
        return e instanceof RefusedException refused
                ? refused.instead()
                : Response.problem(500, "InternalError", "Strake failed to answer; its log has details.");
    }

    /* Omits the message of most exceptions, because it might quote a document. Messages about stores contain only names. */
    private static void logFailure(Throwable e, org.eclipse.jetty.server.Request request, boolean isCutOff) {
        if (e instanceof RefusedException) { // the client gets the reason, unless part of the response was already sent
            if (isCutOff) {
                LOG.warn("Cut off: {}, {}", request.getHttpURI().getPath(), e.getMessage());
            }
            return;
        }
        String frames = Stream.of(e.getStackTrace())
                .limit(8)
                .map(frame -> "\n  at " + frame)
                .collect(joining());
        LOG.error(
                "{} while answering {}{}",
                e instanceof UnreadableStoreException
                        ? e.getMessage()
                        : e.getClass().getName(),
                request.getHttpURI().getPath(),
                frames);
    }
}
