package dev.strake.serdes.secret;

import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.JsonValues;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A document whose data is a ciphertext, so that it can be carried and kept where everybody reads. All else of it is readable:
 *
 * <pre>
 *  schema: example/Database/v1
 *  metadata: {…, storagePolicy: encrypted}
 *  data:
 *    $sealed: AWk2…        the ciphertext in Base64; white space in it counts for nothing
 * </pre>
 *
 * <p>What is encrypted is the JSON {@code {"data": …}}. A ciphertext opens at one place only, which is its associated data:
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
    public static final String KEY = Redaction.SEALED;

    private static final String DATA = "data";

    /** Encrypts for a place. */
    @FunctionalInterface
    public interface Seal {
        byte[] seal(byte[] clear, byte[] place);
    }

    /** Decrypts what was encrypted for a place. */
    @FunctionalInterface
    public interface Open {

        /**
         * The clear bytes.
         *
         * @throws SecretKeyNotFoundException if the key is not here
         * @throws DoesNotOpenException if they were changed, or encrypted for another place
         */
        byte[] open(byte[] sealed, byte[] place);
    }

    private SealedData() {}

    /** Whether a document has sealed data; false for all that is no document. */
    public static boolean isSealed(Value document) {
        return document instanceof MapValue map && map.get(DATA) instanceof MapValue data && isSealedData(data);
    }

    private static boolean isSealedData(MapValue data) {
        return data.size() == 1 && data.has(KEY);
    }

    /** A document of a workspace with its data sealed for the service, if its author says {@code encrypted}; others as they are. */
    public static MapValue forService(MapValue document, String workspace, Seal key) {
        return StoragePolicy.isEncrypted(document) && !isSealed(document)
                ? sealed(document, key, published(workspace, id(document)))
                : document;
    }

    /** A rendered document of a workspace with some places of its data sealed for consumers. */
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
        byte[] sealed = key.seal(JsonValues.write(MapValue.of(DATA, data)), place);
        return MapValue.of(KEY, new Text(Base64.getEncoder().encodeToString(sealed)));
    }

    /**
     * The JSON {@code {"data": …}} that a publisher sealed in a document of a workspace.
     *
     * @throws SecretKeyNotFoundException if the key is not here
     * @throws DoesNotOpenException if it is no ciphertext, was changed, or was made for another document
     */
    public static byte[] openPublished(MapValue document, String workspace, Open keys) {
        return keys.open(ciphertext(document.get(DATA)), published(workspace, id(document)));
    }

    /**
     * A rendered document of a workspace with some places of its data in clear again.
     *
     * @param places those that were sealed
     * @throws SecretKeyNotFoundException if the key is not here
     * @throws DoesNotOpenException if it is no ciphertext, was changed, or was made for another document
     */
    public static MapValue openRendered(
            MapValue document, SecretPlaces places, String workspace, DocumentKey name, Open keys) {
        Value opened = places.replacedIn(document.get(DATA), (place, encrypted) -> {
            byte[] clear = keys.open(ciphertext(encrypted), rendered(workspace, name, place));
            return ((MapValue) JsonValues.read(clear)).get(DATA);
        });
        return document.with(DATA, opened);
    }

    /** A document for whoever cannot open it: with sealed data as one {@linkplain Text#sealed sealed} text; others as they are. */
    public static MapValue unopened(MapValue document) {
        return isSealed(document)
                        && StoragePolicy.isEncrypted(document)
                        && document.map(DATA).get(KEY) instanceof Text text
                ? document.with(DATA, Text.sealed(text.value()))
                : document;
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

    /* Each text with its length, so that no two lists of texts are the same bytes. */
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

    /** The identity that a document would have; parts that are missing or no text are empty. */
    public static DocumentId id(MapValue document) {
        MapValue metadata = document.map("metadata");
        return new DocumentId(
                document.text("schema"), metadata.map("layeringDefinition").text("layer"), metadata.text("name"));
    }
}
