package dev.strake.serdes.secret;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.render.RecordForm;
import dev.strake.engine.secret.KeyedHash;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.secret.References;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.Locale;

/**
 * How records of secret documents are published.
 *
 * <pre>
 *              rendered-documents              cleartext-documents
 *  REDACTED    masks in the place of values    -
 *  ENCRYPTED   data: {$sealed: …}              -
 *  REFERENCES  references in their place       -
 *  CLEARTEXT   masks in the place of values    clear text
 * </pre>
 *
 * <p>Without keys, nothing can be redacted so that equal values look equal for ever: then records are in clear text.
 */
public enum SecretsOutput {
    REDACTED,
    ENCRYPTED,
    REFERENCES,
    CLEARTEXT;

    /** Bytes of a mask beside what it replaces, with quotes. */
    private static final int MASK_BYTES = 28;

    /** Changes whenever the same values get other hashes, so that records are published again. */
    private static final String HASHES = " 1";

    /** As settings, headers and forms have it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static SecretsOutput of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /**
     * The form of the records of a workspace. Its name has the key: with another key, records are published again.
     */
    public RecordForm form(SecretKeys keys, String workspace) {
        if (!keys.areThere()) {
            return RecordForm.CLEAR;
        }
        if (this == ENCRYPTED) {
            return new Form(
                    text() + " " + SecretKeyNotFoundException.text(keys.outputKey()),
                    (name, document) -> SealedData.forConsumers(document, workspace, name, keys::sealOutput));
        }
        if (this == REFERENCES) {
            KeyedHash hash = keys.keyedHash();
            return new Form(
                    text() + " " + hashesOf(keys),
                    (name, document) -> References.in(document, workspace, name, hash, RenderLimits.RECORD_BYTES));
        }
        Redaction redaction = Redaction.of(keys.keyedHash(), workspace);
        Redaction whole = Redaction.ofWhole(keys.keyedHash(), workspace);
        return new Form(
                text() + " " + hashesOf(keys),
                (name, document) -> (isTooLong(document) ? whole : redaction).published(document));
    }

    private static String hashesOf(SecretKeys keys) {
        return SecretKeyNotFoundException.text(keys.hashesKey()) + HASHES;
    }

    /** What a header tells of the data of a record in a form; null for clear text. */
    public static String ofData(String form) {
        if (form.isEmpty()) {
            return null;
        }
        for (SecretsOutput output : List.of(ENCRYPTED, REFERENCES)) {
            if (form.startsWith(output.text())) {
                return output.text();
            }
        }
        return REDACTED.text();
    }

    /** Whether records in a form are in clear text in a topic of their own. */
    public static boolean isInCleartext(String form) {
        return form.startsWith(CLEARTEXT.text());
    }

    private interface Made {
        MapValue of(DocumentKey name, MapValue document);
    }

    private record Form(String name, Made made) implements RecordForm {

        @Override
        public MapValue of(DocumentKey key, MapValue document) {
            return made.of(key, document);
        }
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
