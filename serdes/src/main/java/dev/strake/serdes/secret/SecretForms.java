package dev.strake.serdes.secret;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.render.RecordForm;
import dev.strake.engine.secret.KeyedHash;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.secret.SecretReferences;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Value;
import java.util.Optional;

/** The forms in which the renderer publishes documents with secrets. Consumers need only {@link SecretsOutput}. */
public final class SecretForms {

    /** The bytes that a mask adds to the value that it replaces, with quotes. */
    private static final int MASK_BYTES = 28;

    private static final String DATA = "data";

    /** A version, changed when the same values get other hashes, so that records are published again. */
    private static final String HASHES = " 1";

    private SecretForms() {}

    /** A way to hide secrets in a record. */
    private interface Hiding {

        /** Hides each secret place separately; empty if the result would be too large. */
        Optional<MapValue> each(DocumentKey key, MapValue document, SecretPlaces places);

        /** Hides all of the data at once. */
        MapValue whole(DocumentKey key, MapValue document);
    }

    private record Form(String name, Hiding hiding) implements RecordForm {

        @Override
        public Formed of(DocumentKey key, MapValue document) {
            SecretPlaces places = SecretPlaces.of(document.get(DATA));
            return hiding.each(key, document, places)
                    .filter(hidden -> places.fitBeside(hidden, RenderLimits.RECORD_BYTES))
                    .map(hidden -> new Formed(hidden, places))
                    .orElseGet(() -> new Formed(hiding.whole(key, document), SecretPlaces.ALL));
        }
    }

    /** The form of the records of a workspace. A new key changes its name, and so republishes the records. */
    public static RecordForm of(SecretsOutput output, SecretKeys keys, String workspace) {
        if (!keys.areThere()) {
            return RecordForm.CLEAR;
        }
        if (output == SecretsOutput.ENCRYPTED) {
            String form = output.text() + " " + SecretKeyNotFoundException.text(keys.current(Purpose.OUTPUT));
            return new Form(form, new Encrypting(keys, workspace));
        }
        KeyedHash hash = keys.keyedHash();
        String form = output.text() + " " + SecretKeyNotFoundException.text(keys.current(Purpose.HASHES)) + HASHES;
        return new Form(
                form,
                output == SecretsOutput.REFERENCES
                        ? new Referring(hash, workspace)
                        : new Masking(Redaction.of(hash, workspace), Redaction.ofWhole(hash, workspace)));
    }

    private record Encrypting(SecretKeys keys, String workspace) implements Hiding {

        @Override
        public Optional<MapValue> each(DocumentKey key, MapValue document, SecretPlaces places) {
            return Optional.of(SealedData.forConsumers(
                    document, places, workspace, key, (clear, place) -> keys.seal(Purpose.OUTPUT, clear, place)));
        }

        @Override
        public MapValue whole(DocumentKey key, MapValue document) {
            return each(key, document, SecretPlaces.ALL).orElseThrow();
        }
    }

    private record Referring(KeyedHash hash, String workspace) implements Hiding {

        @Override
        public Optional<MapValue> each(DocumentKey key, MapValue document, SecretPlaces places) {
            return SecretReferences.in(document, workspace, key, hash, RenderLimits.RECORD_BYTES);
        }

        @Override
        public MapValue whole(DocumentKey key, MapValue document) {
            return SecretReferences.ofWhole(document, workspace, key, hash);
        }
    }

    private record Masking(Redaction redaction, Redaction whole) implements Hiding {

        /* A mask is longer than most values. Data with millions of numbers gets a single mask. */
        @Override
        public Optional<MapValue> each(DocumentKey key, MapValue document, SecretPlaces places) {
            boolean isTooLong = document.weight() + MASK_BYTES * leaves(document.get(DATA)) > RenderLimits.RECORD_BYTES;
            return isTooLong ? Optional.empty() : Optional.of(redaction.published(document));
        }

        @Override
        public MapValue whole(DocumentKey key, MapValue document) {
            return whole.published(document);
        }
    }

    private static long leaves(Value value) {
        if (!value.hasSecrets()) {
            return 0;
        }
        long leaves = 0;
        if (value instanceof MapValue map) {
            for (int i = 0; i < map.size(); i++) {
                leaves += leaves(map.valueAt(i));
            }
        } else if (value instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                leaves += leaves(list.get(i));
            }
        }
        return Math.max(1, leaves);
    }
}
