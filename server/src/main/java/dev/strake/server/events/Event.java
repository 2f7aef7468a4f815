package dev.strake.server.events;

import dev.strake.client.RevisionPart;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * An event for clients.
 *
 * @param workspace null if the event is about all workspaces
 * @param partition -1 if the event is about all partitions
 * @param outcome the offset of the outcome of its change
 * @param rendered the offset behind the change's records in the topic of rendered documents; of outcomes only
 * @param json a JSON object
 * @param document the content of a rendered document as JSON, if no secret can be read in it; otherwise null
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
record Event(Type kind, String workspace, int partition, long outcome, long rendered, byte[] json, byte[] document) {

    /** The overhead of an event in bytes, without its texts. */
    private static final int FRAME = 160;

    enum Type {
        /** The outcome of a change. It follows the documents that the change rendered, and completes its revision. */
        OUTCOME,
        /** A rendered document. */
        RENDERED,
        /** A document was removed from the rendered set. */
        REMOVED,
        /** Events are missing here. */
        RESET;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Why events are missing. */
    enum Gone {
        OLD("gone", "Events after this id are no longer kept, or the id is of other topics."),
        COMPACTED(
                "compacted",
                "Rendered documents of a revision are no longer kept, because later revisions replaced them."),
        INTERRUPTED("interrupted", "Events could not be read for a while.");

        private final String reason;
        private final String message;

        Gone(String reason, String message) {
            this.reason = reason;
            this.message = message;
        }

        byte[] json() {
            return JsonBytes.of(MapValue.builder()
                    .put("reason", reason)
                    .put("message", message + " Read the state again; events go on from here.")
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

    /* Readers may see masked values and references, but neither clear text nor ciphertext. */
    private static boolean isShown(RenderedHeaders headers) {
        return !headers.secret() || headers.secrets().isRedacted();
    }

    /* Omits the hash of a secret that is not shown, because a short secret could be guessed from its hash. */
    private static byte[] json(RevisionPart.Document part) {
        RenderedKey key = part.key();
        RenderedHeaders headers = part.headers();
        MapValue.Builder json = MapValue.builder()
                .put("workspace", key.workspace())
                .put("schema", key.document().schema())
                .put("name", key.document().name())
                .put("revision", headers.revision())
                .put("changeId", headers.cause().changeId())
                .put("layer", headers.layer())
                .put("bucket", headers.bucket());
        if (headers.cause().principal() != null) {
            json.put("principal", headers.cause().principal());
        }
        if (headers.derivedFrom() != null) {
            json.put("derivedFrom", headers.derivedFrom());
        }
        if (part.message().value() != null) {
            json.put("secret", headers.secret());
            if (isShown(headers)) {
                String hash = HeaderNames.text(part.message().headers(), HeaderNames.CONTENT_HASH);
                json.put("contentHash", hash == null ? "" : hash);
            }
        }
        return JsonBytes.of(json.build());
    }

    static Event reset(Gone gone, String workspace, int partition, long outcome) {
        return new Event(Type.RESET, workspace, partition, outcome, -1, gone.json(), null);
    }

    /** Returns this outcome with the time from the start of its processing until it could be read. */
    Event withLatency(long millis) {
        byte[] member = (",\"latencyMillis\":" + millis + "}").getBytes(StandardCharsets.UTF_8);
        byte[] told = Arrays.copyOf(json, json.length - 1 + member.length);
        System.arraycopy(member, 0, told, json.length - 1, member.length);
        return new Event(kind, workspace, partition, outcome, rendered, told, document);
    }

    /** The approximate size on the heap, in bytes. */
    int weight() {
        return FRAME + json.length + (document == null ? 0 : document.length);
    }
}
