package dev.strake.serdes.secret;

import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A document whose data is a ciphertext, so that everyone may transport and store it. All other parts are readable:
 *
 * <pre>
 *  schema: example/Database/v1
 *  metadata: {…, storagePolicy: encrypted}
 *  data:
 *    $sealed: AWk2…        the ciphertext in Base64; white space in it counts for nothing
 * </pre>
 *
 * <p>The plaintext is the JSON {@code {"data": …}}. The associated data is the place, so decryption fails elsewhere:
 *
 * <pre>
 *  by publishers   "strake published"  workspace  schema  layer  name
 *  for consumers   "strake rendered"   workspace  schema  name   pointer to the place in the data; empty for all of it
 *
 *  each text: its length in 4 bytes, then its UTF-8
 * </pre>
 */
public final class SealedData {

    /** The only key of sealed data. */
    public static final String KEY = StoragePolicy.SEALED;

    private static final String DATA = "data";

    /** Encrypts for a place. */
    @FunctionalInterface
    public interface Seal {
        byte[] seal(byte[] clear, byte[] place);
    }

    /** Decrypts a ciphertext of a place. */
    @FunctionalInterface
    public interface Open {

        /**
         * Returns the plaintext.
         *
         * @throws SecretKeyNotFoundException if the key is not present
         * @throws DoesNotOpenException if the ciphertext was modified, or encrypted for another place
         */
        byte[] open(byte[] sealed, byte[] place);
    }

    private SealedData() {}

    /** Whether the value is a document with sealed data. */
    public static boolean isSealed(Value document) {
        return document instanceof MapValue map && map.get(DATA) instanceof MapValue data && isSealedData(data);
    }

    private static boolean isSealedData(MapValue data) {
        return data.size() == 1 && data.has(KEY);
    }

    /** Seals the data of a document for the service if the document is {@code encrypted}; returns others unchanged. */
    public static MapValue forService(MapValue document, String workspace, Seal key) {
        return StoragePolicy.isEncrypted(document) && !isSealed(document)
                ? sealed(document, key, published(workspace, id(document)))
                : document;
    }

    /** Seals places in the data of a rendered document for consumers. */
    public static MapValue forConsumers(
            MapValue document, SecretPlaces places, String workspace, DocumentKey name, Seal key) {
        Value sealed = places.replacedIn(
                document.get(DATA), (place, value) -> sealed(value, key, rendered(workspace, name, place)));
        return document.with(DATA, sealed);
    }

    private static MapValue sealed(MapValue document, Seal key, byte[] place) {
        Value data = document.has(DATA) ? document.get(DATA) : MapValue.EMPTY;
        return document.with(DATA, sealed(data, key, place));
    }

    private static MapValue sealed(Value data, Seal key, byte[] place) {
        byte[] sealed = key.seal(JsonBytes.of(MapValue.of(DATA, data)), place);
        return MapValue.of(KEY, new Text(Base64.getEncoder().encodeToString(sealed)));
    }

    /**
     * Decrypts the JSON {@code {"data": …}} that a publisher sealed in a document of a workspace.
     *
     * @throws SecretKeyNotFoundException if the key is not present
     * @throws DoesNotOpenException if the data is not a ciphertext, was modified, or was encrypted for another document
     */
    public static byte[] openPublished(MapValue document, String workspace, Open keys) {
        return keys.open(ciphertext(document.get(DATA)), published(workspace, id(document)));
    }

    /**
     * Decrypts places in the data of a rendered document.
     *
     * @param places the sealed places
     * @throws SecretKeyNotFoundException if the key is not present
     * @throws DoesNotOpenException if a value is not a ciphertext, was modified, or was encrypted for another document
     */
    public static MapValue openRendered(
            MapValue document, SecretPlaces places, String workspace, DocumentKey name, Open keys) {
        Value opened = places.replacedIn(document.get(DATA), (place, encrypted) -> {
            byte[] clear = keys.open(ciphertext(encrypted), rendered(workspace, name, place));
            return ((MapValue) JsonReader.read(clear)).get(DATA);
        });
        return document.with(DATA, opened);
    }

    /** For readers without the key: turns sealed data into one {@linkplain Text#sealed sealed} text. */
    public static MapValue unopened(MapValue document) {
        return StoragePolicy.isSealed(document)
                ? document.with(DATA, Text.sealed(document.map(DATA).text(KEY)))
                : document;
    }

    /**
     * Replaces sealed values in rendered data by those that the service shows in their place, so that both can be
     * compared. Only the service can decrypt them, and so knows their structure.
     *
     * @param shown what the service shows at the place of the data; null for nothing
     * @param isCleartext whether the service shows secrets in clear text
     */
    public static Value replacedBy(Value shown, Value data, boolean isCleartext) {
        if (shown == null || !data.hasSealed()) {
            return data;
        }
        if (data instanceof MapValue map && shown instanceof MapValue other) {
            return map.withEach((key, value) -> replacedBy(other.get(key), value, isCleartext));
        }
        if (data instanceof ListValue list && shown instanceof ListValue other && list.size() == other.size()) {
            return list.withEach((index, item) -> replacedBy(other.get(index), item, isCleartext));
        }
        return Text.isSealed(data) && (shown.hasSecrets() || isCleartext) ? shown : data;
    }

    public static MapValue with(MapValue document, MapValue opened) {
        return document.with(DATA, opened.get(DATA));
    }

    private static byte[] ciphertext(Value sealed) {
        if (sealed instanceof MapValue data && data.get(KEY) instanceof Text text) {
            try {
                return Base64.getDecoder().decode(text.value().replaceAll("\\s", ""));
            } catch (IllegalArgumentException e) {
                throw (DoesNotOpenException) new DoesNotOpenException().initCause(e);
            }
        }
        throw new DoesNotOpenException();
    }

    private static byte[] published(String workspace, DocumentId document) {
        return place("strake published", workspace, document.schema(), document.layer(), document.name());
    }

    private static byte[] rendered(String workspace, DocumentKey document, Place place) {
        return place("strake rendered", workspace, document.schema(), document.name(), place.pointer());
    }

    /* Writes each text with its length, so that two different lists of texts never have the same bytes. */
    static byte[] place(String... texts) {
        ByteArrayOutputStream place = new ByteArrayOutputStream();
        for (String text : texts) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            place.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(utf8.length).array());
            place.writeBytes(utf8);
        }
        return place.toByteArray();
    }

    /** Returns the identity of a document that may be invalid; parts that are missing or not a text are empty. */
    public static DocumentId id(MapValue document) {
        MapValue metadata = document.map("metadata");
        return new DocumentId(
                document.text("schema"), metadata.map("layeringDefinition").text("layer"), metadata.text("name"));
    }
}
