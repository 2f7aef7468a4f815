package dev.strake.serdes.secret;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.render.RecordForm;
import dev.strake.engine.secret.KeyedHash;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.secret.SecretReferences;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.function.BiFunction;

/** How the renderer makes records of secret documents. Consumers need no more than {@link SecretsOutput}. */
public final class SecretForms {

    /** Bytes of a mask beside what it replaces, with quotes. */
    private static final int MASK_BYTES = 28;

    /** Changes whenever the same values get other hashes, so that records are published again. */
    private static final String HASHES = " 1";

    private SecretForms() {}

    private record Form(String name, BiFunction<DocumentKey, MapValue, MapValue> made) implements RecordForm {

        @Override
        public MapValue of(DocumentKey key, MapValue document) {
            return made.apply(key, document);
        }
    }

    /** The form of the records of a workspace. Its name has the key: with another key, records are published again. */
    public static RecordForm of(SecretsOutput output, SecretKeys keys, String workspace) {
        if (!keys.areThere()) {
            return RecordForm.CLEAR;
        }
        if (output == SecretsOutput.ENCRYPTED) {
            return new Form(
                    output.text() + " " + SecretKeyNotFoundException.text(keys.current(Purpose.OUTPUT)),
                    (name, document) -> SealedData.forConsumers(
                            document, workspace, name, (clear, place) -> keys.seal(Purpose.OUTPUT, clear, place)));
        }
        KeyedHash hash = keys.keyedHash();
        String form = output.text() + " " + SecretKeyNotFoundException.text(keys.current(Purpose.HASHES)) + HASHES;
        if (output == SecretsOutput.REFERENCES) {
            return new Form(
                    form,
                    (name, document) ->
                            SecretReferences.in(document, workspace, name, hash, RenderLimits.RECORD_BYTES));
        }
        Redaction redaction = Redaction.of(hash, workspace);
        Redaction whole = Redaction.ofWhole(hash, workspace);
        return new Form(form, (name, document) -> (isTooLong(document) ? whole : redaction).published(document));
    }

    /* A mask is longer than most values. Data of millions of numbers gets one mask as a whole. */
    private static boolean isTooLong(MapValue document) {
        return document.weight() + MASK_BYTES * leaves(document.get("data")) > RenderLimits.RECORD_BYTES;
    }

    private static long leaves(Value value) {
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
