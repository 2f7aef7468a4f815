package dev.strake.server.events;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.text.JsonValues;

/**
 * Something that clients are told.
 *
 * @param workspace null if it is about all of them
 * @param partition -1 if it is about all of them
 * @param outcome offset of the outcome of its change
 * @param rendered where, in the topic of rendered documents, the records of its change end; known of an outcome only
 * @param json a JSON object
 * @param document of a rendered document that is no secret, the document as JSON; null of everything else
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
record Event(Kind kind, String workspace, int partition, long outcome, long rendered, byte[] json, byte[] document) {

    /** Bytes of an event beside its texts. */
    private static final int FRAME = 160;

    enum Kind {
        /** What became of a change. It comes after what the change rendered, and closes its revision. */
        OUTCOME("outcome"),
        /** A document as it renders now. */
        RENDERED("rendered"),
        /** A document has left the rendered set. */
        REMOVED("removed"),
        /** Events are missing here. */
        RESET("reset");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** As the field {@code event} has it. */
        String text() {
            return text;
        }

        boolean isOfDocument() {
            return this == RENDERED || this == REMOVED;
        }
    }

    static Event of(Outcome outcome, byte[] json, int partition, long offset, long rendered) {
        return new Event(Kind.OUTCOME, outcome.workspace(), partition, offset, rendered, json, null);
    }

    /**
     * A rendered document, or its end. Of a secret one it has neither data nor hash.
     *
     * @param hash of the value, as the header of the record has it
     * @param value null if the document has left the set
     */
    static Event of(RenderedKey key, RenderedHeaders headers, String hash, byte[] value, int partition, long outcome) {
        MapValue.Builder json = MapValue.builder()
                .put("workspace", new Text(key.workspace()))
                .put("schema", new Text(key.document().schema()))
                .put("name", new Text(key.document().name()))
                .put("revision", Num.of(headers.revision()))
                .put("changeId", new Text(headers.changeId()))
                .put("layer", new Text(headers.layer()))
                .put("bucket", new Text(headers.bucket()));
        if (headers.principal() != null) {
            json.put("principal", new Text(headers.principal()));
        }
        if (headers.derivedFrom() != null) {
            json.put("derivedFrom", new Text(headers.derivedFrom()));
        }
        if (value != null) {
            json.put("secret", Bool.of(headers.secret()));
        }
        if (value != null && !headers.secret()) { // whoever has the hash of a short secret can find it by trying
            json.put("contentHash", new Text(hash));
        }
        return new Event(
                value == null ? Kind.REMOVED : Kind.RENDERED,
                key.workspace(),
                partition,
                outcome,
                -1,
                JsonValues.write(json.build()),
                headers.secret() ? null : value);
    }

    /** Says that some are missing: of a workspace, or of all. */
    static Event reset(Gone gone, String workspace, int partition, long outcome) {
        return new Event(Kind.RESET, workspace, partition, outcome, -1, gone.json(), null);
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

    /** Bytes that it takes on the heap, about. */
    int weight() {
        return FRAME + json.length + (document == null ? 0 : document.length);
    }
}
