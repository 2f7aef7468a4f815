package dev.strake.server.http;

import static java.util.stream.Collectors.joining;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way through a lane: the answer is made and sent in turns, piece by piece.
 *
 * <pre>
 *   lane's thread      make a piece ─┐      ┌─► make the next ─┐ …
 *   no thread                        └ send ┘                  └ send …
 * </pre>
 */
final class Answering implements Runnable, Callback {

    private static final Logger LOG = LoggerFactory.getLogger(Answering.class);

    /** A client that takes less than this, once it has had some time, is cut off. */
    private static final long LEAST_BYTES_A_SECOND = 4 << 10;

    /** The same while others are refused for want of room. */
    private static final long LEAST_WHILE_OTHERS_WAIT = 256 << 10;

    private static final long TIME_TO_BEGIN_NANOS = 10_000_000_000L;

    private final Lane lane;
    private final Supplier<Response> question;
    private final org.eclipse.jetty.server.Response to;
    private final Callback end;
    private final ByteArrayOutputStream piece = new ByteArrayOutputStream(16 << 10);
    private final AtomicBoolean ended = new AtomicBoolean();
    private final int roomOfBody;
    private Response answer;
    private boolean more;
    private volatile Pace pace = new Pace(0, 0, 0);

    /**
     * How fast a client reads.
     *
     * @param bytes that it has taken
     * @param nanos that it took for them
     * @param since when it has had to take the next piece; 0 while none is sent
     */
    private record Pace(long bytes, long nanos, long since) {

        Pace sending(long now) {
            return new Pace(bytes, nanos, now);
        }

        Pace taken(long more, long now) {
            return new Pace(bytes + more, nanos + now - since, 0);
        }

        boolean isSlower(long bytesASecond, long now) {
            long all = since == 0 ? nanos : nanos + now - since;
            return all > TIME_TO_BEGIN_NANOS && bytes < all / 1_000_000_000.0 * bytesASecond;
        }
    }

    /** @param roomOfBody to be given back to the lane at the end */
    Answering(
            Lane lane,
            Supplier<Response> question,
            org.eclipse.jetty.server.Response to,
            Callback end,
            int roomOfBody) {
        this.roomOfBody = roomOfBody;
        this.lane = lane;
        this.question = question;
        this.to = to;
        this.end = end;
    }

    /** Makes a piece, and sends it. */
    @Override
    public void run() {
        try {
            if (answer == null) {
                begin(question.get());
            }
            piece.reset();
            more = !isHead() && answer.body().writeSome(piece);
        } catch (IOException | RuntimeException e) {
            if (to.isCommitted()) {
                logFailure(e);
                failed(e);
                return;
            }
            Response refusal = refusal(e);
            closeBody();
            begin(refusal);
            more = writeWhole();
        }
        if (more && piece.size() == 0) {
            answer.body().await(this::next);
        } else {
            send();
        }
    }

    private void next() {
        if (!lane.run(this)) {
            failed(new IOException("this instance is stopping"));
        }
    }

    private void begin(Response response) {
        answer = response;
        setHead(to, response);
        if (response.retryAfter().isPresent()) {
            lane.makeRoom();
        }
    }

    static void setHead(org.eclipse.jetty.server.Response to, Response response) {
        to.setStatus(response.status());
        to.getHeaders().put(HttpHeader.CONTENT_TYPE, response.contentType());
        to.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        to.getHeaders().put("X-Content-Type-Options", "nosniff"); // what a document holds is nothing to run
        response.retryAfter().ifPresent(seconds -> to.getHeaders().put(HttpHeader.RETRY_AFTER, seconds));
        response.headers().forEach(to.getHeaders()::put);
    }

    private boolean writeWhole() {
        piece.reset();
        try {
            return !isHead() && answer.body().writeSome(piece);
        } catch (IOException e) {
            throw new IllegalStateException("a refusal is in memory", e);
        }
    }

    private boolean isHead() {
        return to.getRequest().getMethod().equals("HEAD");
    }

    /* Of the two ways to fail, one is the client's. Of ours it learns that there was one, and nothing more. */
    private Response refusal(Exception e) {
        if (e instanceof Response.BrokenOffException brokenOff) {
            return brokenOff.instead();
        }
        if (e instanceof IllegalArgumentException && answer == null) {
            return Response.problem(400, "BadRequest", e.getMessage());
        }
        logFailure(e);
        return Response.problem(500, "InternalError", "Strake failed to answer; its log says more.");
    }

    /* Without the message, which might quote a document. */
    private void logFailure(Exception e) {
        if (e instanceof Response.BrokenOffException) {
            LOG.debug("Broke off {}", to.getRequest().getHttpURI().getPath(), e);
            return;
        }
        String frames = Stream.of(e.getStackTrace())
                .limit(8)
                .map(frame -> "\n  at " + frame)
                .collect(joining());
        LOG.error(
                "{} while answering {}{}",
                e.getClass().getName(),
                to.getRequest().getHttpURI().getPath(),
                frames);
    }

    private void send() {
        pace = pace.sending(System.nanoTime());
        to.write(!more, ByteBuffer.wrap(piece.toByteArray()), this);
    }

    /** Called when the client has taken a piece. */
    @Override
    public void succeeded() {
        pace = pace.taken(piece.size(), System.nanoTime());
        if (!more) {
            if (finish()) {
                end.succeeded();
            }
        } else if (pace.isSlower(LEAST_BYTES_A_SECOND, System.nanoTime())) {
            failed(new IOException("the client reads too slowly"));
        } else {
            next();
        }
    }

    /**
     * Cuts the client off if it reads slowly, as its place is needed. What is under way ends by itself: the piece that is
     * being sent fails.
     */
    void makeRoom() {
        if (pace.isSlower(LEAST_WHILE_OTHERS_WAIT, System.nanoTime())) {
            to.getRequest()
                    .getConnectionMetaData()
                    .getConnection()
                    .getEndPoint()
                    .close();
        }
    }

    @Override
    public void failed(Throwable cause) {
        if (finish()) {
            end.failed(cause);
        }
    }

    private boolean finish() {
        boolean first = ended.compareAndSet(false, true);
        if (first) {
            closeBody();
            lane.giveRoomBack(roomOfBody);
            lane.leave(this);
        }
        return first;
    }

    private void closeBody() {
        if (answer != null) {
            answer.body().close();
        }
    }
}
