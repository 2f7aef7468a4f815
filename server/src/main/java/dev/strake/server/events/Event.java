package dev.strake.server.events;

import dev.strake.client.RevisionPart;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.text.JsonValues;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.apache.kafka.common.header.Header;

/**
 * Something that clients are told.
 *
 * @param workspace null if it is about all of them
 * @param partition -1 if it is about all of them
 * @param outcome offset of the outcome of its change
 * @param rendered where, in the topic of rendered documents, the records of its change end; known of an outcome only
 * @param json a JSON object
 * @param document of a rendered document in which no secret can be read, the document as JSON; null of everything else
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
record Event(Type kind, String workspace, int partition, long outcome, long rendered, byte[] json, byte[] document) {

    /** Bytes of an event beside its texts. */
    private static final int FRAME = 160;

    enum Type {
        /** What became of a change. It comes after what the change rendered, and closes its revision. */
        OUTCOME,
        /** A document as it renders now. */
        RENDERED,
        /** A document has left the rendered set. */
        REMOVED,
        /** Events are missing here. */
        RESET;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Why events are missing. */
    enum Gone {
        OLD("gone", "What came after that place is not kept any more, or the id is of other topics."),
        COMPACTED(
                "compacted",
                "Rendered documents of a revision are not kept any more, because later revisions took their place."),
        INTERRUPTED("interrupted", "Events could not be read for a while.");

        private final String reason;
        private final String message;

        Gone(String reason, String message) {
            this.reason = reason;
            this.message = message;
        }

        byte[] json() {
            return JsonValues.write(MapValue.builder()
                    .put("reason", new Text(reason))
                    .put("message", new Text(message + " Read the state again; events go on from here."))
                    .build());
        }
    }

    static Event of(RevisionPart part) {
        if (part instanceof RevisionPart.Document document) {
            return of(document);
        }
        RevisionPart.End end = (RevisionPart.End) part;
        return new Event(
                Type.OUTCOME,
                end.outcome().workspace(),
                end.message().partition(),
                end.message().offset(),
                end.rendered(),
                end.message().value(),
                null);
    }

    private static Event of(RevisionPart.Document part) {
        byte[] value = part.message().value();
        return new Event(
                value == null ? Type.REMOVED : Type.RENDERED,
                part.key().workspace(),
                part.message().partition(),
                part.outcome(),
                -1,
                json(part),
                isShown(part.headers()) ? value : null);
    }

    /* Masks and references are for everybody who may read; clear text, and what others can open, is not. */
    private static boolean isShown(RenderedHeaders headers) {
        return !headers.secret() || headers.secrets().isRedacted();
    }

    /* Of secrets that are not shown it has no hash, either: whoever has the hash of a short secret can find it by trying. */
    private static byte[] json(RevisionPart.Document part) {
        RenderedKey key = part.key();
        RenderedHeaders headers = part.headers();
        MapValue.Builder json = MapValue.builder()
                .put("workspace", new Text(key.workspace()))
                .put("schema", new Text(key.document().schema()))
                .put("name", new Text(key.document().name()))
                .put("revision", Num.of(headers.revision()))
                .put("changeId", new Text(headers.cause().changeId()))
                .put("layer", new Text(headers.layer()))
                .put("bucket", new Text(headers.bucket()));
        if (headers.cause().principal() != null) {
            json.put("principal", new Text(headers.cause().principal()));
        }
        if (headers.derivedFrom() != null) {
            json.put("derivedFrom", new Text(headers.derivedFrom()));
        }
        if (part.message().value() != null) {
            json.put("secret", Bool.of(headers.secret()));
            if (isShown(headers)) {
                Header hash = part.message().headers().lastHeader(HeaderNames.CONTENT_HASH);
                String text = hash == null ? "" : new String(hash.value(), StandardCharsets.UTF_8);
                json.put("contentHash", new Text(text));
            }
        }
        return JsonValues.write(json.build());
    }

    static Event reset(Gone gone, String workspace, int partition, long outcome) {
        return new Event(Type.RESET, workspace, partition, outcome, -1, gone.json(), null);
    }

    /** The outcome of a change, with the time from when its processing began until its outcome could be read. */
    Event withLatency(long millis) {
        byte[] member = (",\"latencyMillis\":" + millis + "}").getBytes(StandardCharsets.UTF_8);
        byte[] told = Arrays.copyOf(json, json.length - 1 + member.length);
        System.arraycopy(member, 0, told, json.length - 1, member.length);
        return new Event(kind, workspace, partition, outcome, rendered, told, document);
    }

    /** Bytes that it takes on the heap, about. */
    int weight() {
        return FRAME + json.length + (document == null ? 0 : document.length);
    }
}
