package dev.strake.engine.render;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;

/**
 * The form in which secrets are published: as they are, redacted, or encrypted. It is no part of what a document renders to.
 * Where it is another one than before, records with secrets are published again.
 */
public interface RecordForm {

    /** As they are. */
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
     * @param places where its data has secrets, in this form or in clear text: all of it, if its form is too long for each of
     *     them alone
     */
    record Formed(MapValue document, SecretPlaces places) {

        /** The record as it is kept until it is published. */
        public RecordJson json() {
            return new RecordJson(JsonBytes.of(document), places);
        }

        /** Its bytes in a topic, with those of the header that names the places. */
        public long weight() {
            return document.weight() + places.weight();
        }
    }

    /** The record of a document with secrets: equal ones for equal documents. Several threads may call it. */
    Formed of(DocumentKey key, MapValue document);
}
