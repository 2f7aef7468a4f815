package dev.strake.server.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * The body of one request. Either a route reads it, or it is thrown away behind the answer. The next request on the
 * connection begins where the body ends. And a client that sends all of it before it reads would lose its answer if the
 * connection were closed meanwhile.
 *
 * <pre>
 *   body                              answer              afterwards
 *   none, or read to its end                              the next request
 *   small, by its length                                  thrown away, then the next request
 *   large, or of no known length      Connection: close   thrown away up to a limit, then closed
 *   its client waits to be asked      Connection: close   closed: nobody knows whether it will come
 * </pre>
 *
 * <p>No thread waits for any of it.
 */
final class RequestBody {

    /** How much may be waited for, so that the connection can be kept. */
    private static final int SMALL_BYTES = 64 << 10;

    /** As much as the largest change. Who sends more may lose the answer. */
    private static final long MOST_THROWN_AWAY = 64 << 20;

    private final Request request;
    private final boolean waitsToBeAsked;
    private volatile Pace pace = Pace.NONE;
    private boolean isAsked;
    private boolean isAtEnd;
    private Throwable failure;

    RequestBody(Request request) {
        this.request = request;
        this.waitsToBeAsked = request.getHeaders().contains(HttpHeader.EXPECT, "100-continue");
        this.isAtEnd = length() == 0;
    }

    /** In bytes, as the client says; -1 if it does not. */
    long length() {
        // Without either of the two headers no body comes.
        boolean comes = request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
        return comes ? request.getLength() : 0;
    }

    /** Who hears of the end of reading. */
    interface Reader {

        void whole(ByteBuffer body);

        /** More came than was allowed. */
        void tooLarge();

        void tooSlow();

        /** The connection is gone, or nothing comes any more. */
        void failed(Throwable cause);
    }

    /**
     * Reads the body.
     *
     * @param most bytes that are allowed
     */
    void read(int most, Reader reader) {
        isAsked = true;
        Bytes content = new Bytes((int) Math.max(0, Math.min(most, length())));
        take(most, content::add, () -> {
            if (isAtEnd && pace.bytes() <= most) {
                reader.whole(content.all());
            } else if (failure != null) {
                reader.failed(failure);
            } else if (pace.bytes() > most) {
                reader.tooLarge();
            } else {
                reader.tooSlow();
            }
        });
    }

    /** What is read, without a copy for a body of known length. */
    private static final class Bytes extends ByteArrayOutputStream {

        Bytes(int length) {
            super(length);
        }

        void add(ByteBuffer part) {
            writeBytes(BufferUtil.toArray(part));
        }

        ByteBuffer all() {
            return ByteBuffer.wrap(buf, 0, count);
        }
    }

    /** Whether it keeps a place that others need. */
    boolean isTooSlowWhileOthersWait() {
        Pace now = pace;
        return now.isItsTurn() && now.isTooSlowWhileOthersWait(System.nanoTime());
    }

    /** The response, which says that the connection ends if what is left of the body is too much to wait for. */
    Response announcingTheEnd(Response response) {
        return new Response.Wrapper(request, response) {
            @Override
            public void write(boolean last, ByteBuffer content, Callback callback) {
                if (!isCommitted() && !canGoOn()) {
                    getHeaders().put(HttpFields.CONNECTION_CLOSE);
                }
                super.write(last, content, callback);
            }
        };
    }

    private boolean canGoOn() {
        if (isAtEnd || failure != null || isNotAsked()) {
            return isAtEnd;
        }
        if (length() < 0 || length() > SMALL_BYTES) {
            takeWhatIsThere(SMALL_BYTES, part -> {});
            return isAtEnd;
        }
        return true;
    }

    /** What ends the exchange once the answer is written: only after what is left of the body was thrown away. */
    Callback throwingAwayBefore(Callback end) {
        return Callback.from(
                () -> {
                    pace = Pace.NONE;
                    if (isNotAsked()) {
                        end.succeeded();
                    } else {
                        take(MOST_THROWN_AWAY, part -> {}, end::succeeded);
                    }
                },
                end::failed);
    }

    private boolean isNotAsked() {
        return waitsToBeAsked && !isAsked;
    }

    /* Until the end, a failure, too many bytes, or too few for the time they took. */
    private void take(long most, Consumer<ByteBuffer> to, Runnable then) {
        if (takeWhatIsThere(most, to)) {
            then.run();
        } else {
            pace = pace.begin(System.nanoTime());
            request.demand(() -> take(most, to, then));
        }
    }

    /* Whether there is nothing to wait for. */
    private boolean takeWhatIsThere(long most, Consumer<ByteBuffer> to) {
        while (!isAtEnd && failure == null && pace.bytes() <= most && !pace.isTooSlow(System.nanoTime())) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                return false;
            }
            if (Content.Chunk.isFailure(chunk)) {
                failure = chunk.getFailure();
            } else {
                pace = pace.end(chunk.remaining(), System.nanoTime());
                if (pace.bytes() <= most) {
                    to.accept(chunk.getByteBuffer());
                }
                isAtEnd = chunk.isLast();
                chunk.release();
            }
        }
        return true;
    }
}
