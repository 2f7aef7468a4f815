package dev.strake.engine.render;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;

/**
 * The form in which the records of secret documents are published: as they are, redacted, or encrypted. It is no part of what a
 * document renders to. Where it is another one than before, records of secret documents are published again.
 */
public interface RecordForm {

    /** As they are. */
    RecordForm CLEAR = new RecordForm() {
        @Override
        public String name() {
            return "";
        }

        @Override
        public MapValue of(DocumentKey key, MapValue document) {
            return document;
        }
    };

    /** Tells this form from others; empty for clear text. */
    String name();

    /** The record of a secret document: equal ones for equal documents. Several threads may call it. */
    MapValue of(DocumentKey key, MapValue document);
}
