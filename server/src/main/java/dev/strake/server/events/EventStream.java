package dev.strake.server.events;

import dev.strake.client.RevisionMerger;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.server.access.Principal;
import dev.strake.server.access.Role;
import dev.strake.server.events.Event.Gone;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * The stream of events to one client, as {@code text/event-stream}. Its thread waits for new events. In memory it holds
 * at most one chunk of missed events.
 *
 * <pre>
 *  id: 1.k2…                only behind a complete change, so that a client resumes with complete changes
 *  event: outcome
 *  data: {…}                one line of JSON
 * </pre>
 */
final class EventStream implements Response.Body {

    private static final long PIECE_BYTES = 64 << 10;
    private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The interval between checks whether the client may still read. */
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final Feed feed;
    private final Request request;
    private final Filter wanted;
    private final Optional<EventPosition> from;
    private Principal principal;
    private long asked = System.nanoTime();
    private EventPosition place;
    private boolean isBetween;
    private String lastId = "";

    /** The number of the next event, once the client reads recent events; before that -1. */
    private long next = -1;

    /** The position in missed events; null if the client missed none. */
    private List<RevisionMerger> past;

    private long written = System.nanoTime();

    /**
     * The events that a client subscribed to.
     *
     * @param workspace null for all that the client may read
     * @param partition of the workspace; -1 for all
     */
    record Filter(String workspace, int partition, boolean outcomes, boolean documents, boolean data) {

        boolean isOfOne() {
            return partition >= 0;
        }

        boolean has(Event event, Principal principal) {
            boolean isOfIts = workspace == null
                    ? event.workspace() == null || principal.has(Role.READER, event.workspace())
                    : event.workspace() == null || workspace.equals(event.workspace());
            return isOfIts && isOfKind(event);
        }

        private boolean isOfKind(Event event) {
            return switch (event.kind()) {
                case OUTCOME -> outcomes;
                case RENDERED, REMOVED -> documents;
                case RESET -> true;
            };
        }
    }

    /** @param from the position to resume from; empty for new events only */
    EventStream(Feed feed, Request request, Filter wanted, Optional<EventPosition> from) {
        this.feed = feed;
        this.request = request;
        this.wanted = wanted;
        this.from = from;
        this.principal = request.principal();
        feed.start();
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        while (!feed.isClosed() && writeSome(out)) {
            out.flush();
        }
    }

    /* Waits a second at most. Returns whether the stream continues. */
    boolean writeSome(OutputStream out) throws IOException {
        if (!mayStill()) {
            end(out, "access", "The token has expired, or no longer allows this. Connect with a new one.");
            return false;
        }
        try {
            boolean mayGoOn = true;
            if (next >= 0) {
                mayGoOn = writeRecent(out);
            } else if (past == null) {
                begin(out);
            } else {
                writePast(out);
            }
            heartbeat(out);
            return mayGoOn;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("this instance is stopping");
        }
    }

    private boolean mayStill() {
        long now = System.nanoTime();
        if (now - asked > ASK_AGAIN_NANOS) {
            asked = now;
            Optional<Principal> still = request.principalNow().get();
            still.ifPresent(each -> principal = each);
            return still.isPresent();
        }
        return true;
    }

    private void begin(OutputStream out) throws IOException, InterruptedException {
        if (!isDone(feed.begun())) {
            return;
        }
        if (from.isEmpty()) {
            goOnFromNow();
            write(out, id(), "started", bytes("{}"), null);
        } else if (from.get().outcomes().length == 0
                || from.get().topics() != feed.recent().now().place().topics()) {
            reset(out, Gone.OLD.json());
        } else {
            place = from.get();
            past = wanted.isOfOne() ? List.of(revisions(wanted.partition())) : allRevisions();
            write(out, "", "started", bytes("{}"), null);
            isBetween = true;
        }
    }

    private static boolean isDone(CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get(WAIT.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private List<RevisionMerger> allRevisions() {
        return IntStream.range(0, feed.partitions()).mapToObj(this::revisions).toList();
    }

    private RevisionMerger revisions(int partition) {
        return RevisionMerger.ofAll(
                partition, wanted.isOfOne(), place.outcomes()[partition], place.rendered()[partition]);
    }

    private void writePast(OutputStream out) throws IOException, InterruptedException {
        Optional<MissedEvents.Batch> turn = feed.past().read(past, wanted.workspace(), WAIT);
        if (turn.isEmpty()) {
            return;
        }
        MissedEvents.Batch read = turn.get();
        if (read.gone() != null) {
            reset(out, read.gone().json());
            return;
        }
        for (Event event : read.events()) {
            write(out, event);
        }
        read.continueAt().ifPresent(number -> next = number);
    }

    /* Returns whether the stream continues. */
    private boolean writeRecent(OutputStream out) throws IOException, InterruptedException {
        feed.recent().await(next, WAIT);
        Optional<List<Event>> events = feed.recent().since(next, PIECE_BYTES);
        if (events.isEmpty()) {
            end(out, "slow", "The client reads more slowly than events arrive. Connect again with the last id.");
            return false;
        }
        next += events.get().size();
        for (Event event : events.get()) {
            if (event.kind() == Event.Type.RESET && wanted.has(event, principal)) {
                reset(out, event.json());
                return true;
            }
            boolean isNew = event.partition() >= 0 && event.outcome() >= place.outcomes()[event.partition()];
            if (isNew) {
                write(out, event);
            }
        }
        return true;
    }

    private void write(OutputStream out, Event event) throws IOException {
        place.pass(event);
        if (!wanted.isOfOne() || wanted.partition() == event.partition()) {
            isBetween = event.kind() == Event.Type.OUTCOME;
        }
        if (wanted.has(event, principal)) {
            write(
                    out,
                    event.kind() == Event.Type.OUTCOME ? id() : "",
                    event.kind().text(),
                    event.json(),
                    wanted.data() ? event.document() : null);
        }
    }

    private void goOnFromNow() {
        RecentEvents.Next now = feed.recent().now();
        place = now.place();
        next = now.next();
        isBetween = true;
    }

    /* Restarts the stream with new events. */
    private void reset(OutputStream out, byte[] json) throws IOException {
        goOnFromNow();
        write(out, id(), Event.Type.RESET.text(), json, null);
    }

    private void end(OutputStream out, String reason, String message) throws IOException {
        MapValue json = MapValue.of("reason", reason).with("message", message + " Go on from the last id.");
        write(out, "", "dropped", JsonBytes.of(json), null);
    }

    private String id() {
        return wanted.isOfOne() ? place.id(wanted.partition()) : place.id().orElse("");
    }

    /* A comment keeps the connection open. An id advances the position past changes of other workspaces. */
    private void heartbeat(OutputStream out) throws IOException {
        if (System.nanoTime() - written < HEARTBEAT_NANOS) {
            return;
        }
        String id = place != null && isBetween ? id() : "";
        out.write(bytes(":\n" + (id.isEmpty() || id.equals(lastId) ? "" : "id: " + id + "\n") + "\n"));
        lastId = id.isEmpty() ? lastId : id;
        written = System.nanoTime();
    }

    private void write(OutputStream out, String id, String event, byte[] json, byte[] document) throws IOException {
        out.write(bytes((id.isEmpty() ? "" : "id: " + id + "\n") + "event: " + event + "\ndata: "));
        if (document == null) {
            writeLine(out, json, json.length);
        } else {
            writeLine(out, json, json.length - 1);
            out.write(bytes(",\"document\":"));
            writeLine(out, document, document.length);
            out.write('}');
        }
        out.write(bytes("\n\n"));
        lastId = id.isEmpty() ? lastId : id;
        written = System.nanoTime();
    }

    /* Replaces line breaks by blanks. In JSON they occur only between tokens. */
    private static void writeLine(OutputStream out, byte[] json, int length) throws IOException {
        int from = 0;
        for (int i = 0; i < length; i++) {
            if (json[i] == '\n' || json[i] == '\r') {
                out.write(json, from, i - from);
                out.write(' ');
                from = i + 1;
            }
        }
        out.write(json, from, length - from);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
