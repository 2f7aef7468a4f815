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

    private final Lane lane;
    private final Supplier<Response> question;
    private final org.eclipse.jetty.server.Response to;
    private final Callback end;
    private final ByteArrayOutputStream piece = new ByteArrayOutputStream(16 << 10);
    private final AtomicBoolean ended = new AtomicBoolean();
    private final RequestBody body;
    private final int roomOfBody;
    private Response answer;
    private boolean more;
    private volatile Pace pace = Pace.NONE;

    /** @param roomOfBody to be given back to the lane at the end */
    Answering(
            Lane lane,
            Supplier<Response> question,
            RequestBody body,
            int roomOfBody,
            org.eclipse.jetty.server.Response to,
            Callback end) {
        this.body = body;
        this.roomOfBody = roomOfBody;
        this.lane = lane;
        this.question = question;
        this.to = to;
        this.end = end;
    }

    /** Makes a piece, and sends it. Whatever is thrown, the answer does not stay open. */
    @Override
    public void run() {
        try {
            makePiece();
        } catch (RuntimeException | Error e) {
            failed(e);
            throw e;
        }
    }

    private void makePiece() {
        try {
            if (answer == null) {
                begin(question.get());
            }
            piece.reset();
            more = !isHead() && answer.body().writeSome(piece);
        } catch (IOException | RuntimeException | Error e) { // a stack that is too deep, or no memory for a piece
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
            refuseAtTheEnd();
        }
    }

    /** There are no threads any more to make an answer. */
    void refuseAtTheEnd() {
        if (to.isCommitted()) {
            failed(new IOException("this instance is stopping"));
            return;
        }
        closeBody();
        begin(Response.tryAgain("Stopping", "This instance is stopping. Ask again in a moment."));
        more = writeWhole();
        send();
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
    private Response refusal(Throwable e) {
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
    private void logFailure(Throwable e) {
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
        pace = pace.begin(System.nanoTime());
        if (isHead()) { // an answer that ended at once would say that the body has 0 bytes
            to.write(false, null, Callback.from(() -> to.write(true, null, this), this::failed));
        } else {
            to.write(!more, ByteBuffer.wrap(piece.toByteArray()), this);
        }
    }

    /** Called when the client has taken a piece. */
    @Override
    public void succeeded() {
        pace = pace.end(piece.size(), System.nanoTime());
        if (!more) {
            if (finish()) {
                end.succeeded();
            }
        } else if (pace.isTooSlow(System.nanoTime())) {
            failed(new IOException("the client reads too slowly"));
        } else {
            next();
        }
    }

    /**
     * Cuts the client off if it reads or sends slowly, as its place is needed. What is under way ends by itself: the piece
     * that is being sent fails, or the body that is being read.
     */
    void makeRoom() {
        if (pace.isTooSlowWhileOthersWait(System.nanoTime()) || body.isTooSlowWhileOthersWait()) {
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
