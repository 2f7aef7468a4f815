package dev.strake.engine.render;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;

/**
 * The form in which secrets are published: in clear text, redacted, or encrypted. The form is not part of the rendered
 * data. If the form changes, records with secrets are published again.
 */
public interface RecordForm {

    /** Clear text. */
    RecordForm CLEAR = new RecordForm() {
        @Override
        public String name() {
            return "";
        }

        @Override
        public Formed of(DocumentKey key, MapValue document) {
            SecretPlaces places = SecretPlaces.of(document.get("data"));
            return new Formed(
                    document, places.fitBeside(document, RenderLimits.RECORD_BYTES) ? places : SecretPlaces.ALL);
        }
    };

    /** Identifies this form; empty for clear text. */
    String name();

    /**
     * A record in its form.
     *
     * @param places the places of secrets in the data, in this form or in clear text. The whole data is one place if
     *     separate places would make the record too large
     */
    record Formed(MapValue document, SecretPlaces places) {

        /** The record to keep until it is published. */
        public RecordJson json() {
            return new RecordJson(JsonBytes.of(document), places);
        }

        /** The bytes of the record in a topic, including the header with the places. */
        public long weight() {
            return document.weight() + places.weight();
        }
    }

    /** The record of a document with secrets. Equal documents give equal records. Thread-safe. */
    Formed of(DocumentKey key, MapValue document);
}
