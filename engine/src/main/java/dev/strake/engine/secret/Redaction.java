package dev.strake.engine.secret;

import dev.strake.engine.document.MissingKey;
import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.tree.Container;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.PlaceChange;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Hides the secrets of data for users: replaces each secret leaf by a mask, or shows the data in clear text.
 *
 * <pre>
 *  user: admin            user: ****** 6f1c22ab90d1e0f3
 *  ports: [22, 443]  ──►  ports: [****** 0b77d5e1c2a94d38, ****** 51f0a3de9c64b712]
 *  options: {}            options: ****** 93ce10fd7a2b4586
 * </pre>
 *
 * <p>Keys of maps and lengths of lists stay visible, so that users see where data changed. A {@link KeyedHash} follows
 * the mask, so equal values look equal and others do not. Empty containers, numbers, booleans and null look like texts.
 */
public final class Redaction {

    /** Replaces a value that must not be shown. */
    public static final Text MASK = StoragePolicy.MASK;

    /** Hides nothing: for users who may see secrets. */
    public static final Redaction CLEARTEXT = new Redaction(null, Extent.LEAF);

    /** Replaces each secret leaf by the same mask: for comparing with data that was redacted with another key. */
    public static final Redaction STRUCTURE = new Redaction(Redaction::alike, Extent.LEAF);

    /** Replaces each secret place as a whole by the same mask: hides keys of maps and lengths of lists, too. */
    public static final Redaction PLACES = new Redaction(Redaction::alike, Extent.PLACE);

    private static final String BEFORE_HASH = MASK.value() + " ";

    private static final Pattern SHOWN = Pattern.compile(Pattern.quote(MASK.value()) + " [0-9a-f]{16}");

    private static final String DATA = "data";

    private final Masks masks;
    private final Extent extent;

    /** The part of the data that one mask replaces. */
    private enum Extent {
        LEAF,
        PLACE,
        WHOLE
    }

    /** Makes the masks for leaves. */
    @FunctionalInterface
    private interface Masks {

        /** Returns a mask for each leaf, in the order of the leaves. */
        Text[] of(List<Value> leaves);
    }

    private Redaction(Masks masks, Extent extent) {
        this.masks = masks;
        this.extent = extent;
    }

    private static Text[] alike(List<Value> leaves) {
        Text[] masks = new Text[leaves.size()];
        Arrays.fill(masks, MASK.secret());
        return masks;
    }

    /** Replaces each secret leaf by a mask with its hash in a workspace. */
    public static Redaction of(KeyedHash hash, String workspace) {
        return new Redaction(hashed(hash, workspace), Extent.LEAF);
    }

    /** Replaces data with secrets as a whole by one mask with its hash. */
    public static Redaction ofWhole(KeyedHash hash, String workspace) {
        return new Redaction(hashed(hash, workspace), Extent.WHOLE);
    }

    private static Masks hashed(KeyedHash hash, String workspace) {
        return leaves -> {
            String[] hashes = hash.ofAll(workspace, leaves);
            Text[] masks = new Text[hashes.length];
            for (int i = 0; i < masks.length; i++) {
                masks[i] = Text.unescaped(BEFORE_HASH.concat(hashes[i])).secret();
            }
            return masks;
        };
    }

    /** Whether secrets are shown. */
    public boolean isCleartext() {
        return masks == null;
    }

    /**
     * Hides the {@linkplain Value#isSecret secret} values of data. The masks are marked as secret, so that later steps
     * still recognize the secret places. Returns Java's null for null, which means no data.
     */
    public Value data(Value data) {
        return data == null || !data.hasSecrets() || isCleartext() ? data : masked(data);
    }

    private Value masked(Value value) {
        if (extent == Extent.WHOLE) {
            return masks.of(List.of(value))[0];
        }
        List<Value> leaves = new ArrayList<>();
        collect(value, leaves);
        return replaced(value, Arrays.asList(masks.of(leaves)).iterator());
    }

    /* Recursive, like the next method: documents have limited depth. */
    private void collect(Value value, List<Value> leaves) {
        if (isEntered(value) && value instanceof Container container) {
            for (int i = 0; i < container.size(); i++) {
                collect(container.valueAt(i), leaves);
            }
        } else if (value.isSecret() && !MissingKey.isPlaceholder(value)) {
            leaves.add(value);
        }
    }

    /* Traverses the leaves in the same order as collect. */
    private Value replaced(Value value, Iterator<Text> masks) {
        if (isEntered(value) && value instanceof MapValue map) {
            return map.withEach((key, child) -> replaced(child, masks));
        }
        if (isEntered(value) && value instanceof ListValue list) {
            return list.withEach((index, item) -> replaced(item, masks));
        }
        return !value.isSecret() || MissingKey.isPlaceholder(value) ? value : masks.next();
    }

    private boolean isEntered(Value value) {
        return value.hasSecrets() && isOpen(value) && !(extent == Extent.PLACE && value.isSecret());
    }

    /** Whether the keys or the length of a container are shown, and each value in it has a separate mask. */
    static boolean isOpen(Value value) {
        return value instanceof Container container
                && !container.isEmpty()
                && !(value instanceof MapValue map && map.isClosed());
    }

    /**
     * Compares two trees that were redacted in this way. A value that is secret in one tree is hidden in the other
     * tree, too: a value that becomes secret may be the same as before.
     */
    public List<PlaceChange> changes(Value before, Value after) {
        return PlaceChange.between(before, after, value -> data(value.secret()));
    }

    /* Checks the start first: few texts need the slower pattern. */
    private static boolean isMask(Text text) {
        return text.value().startsWith(MASK.value())
                && (SHOWN.matcher(text.value()).matches() || MissingKey.isPlaceholder(text));
    }

    /**
     * Finds a mask, a {@linkplain SecretReferences reference} or a ciphertext in the data. Such data was read without
     * its secrets, but its author means the hidden value. Data sealed as a whole is allowed: the service decrypts it.
     *
     * @return the first such place; null if there is none
     */
    public static Place maskIn(Value data) {
        Deque<Object> steps = new ArrayDeque<>();
        return hasMask(data, steps) ? new Place(List.copyOf(steps)) : null;
    }

    /**
     * Replaces all masks and references in redacted data by the mask of {@link #STRUCTURE}: for comparing with data
     * that was redacted with another key.
     */
    public static Value unhashed(Value data) {
        if (data instanceof MapValue map) {
            return map.withEach((key, child) -> unhashed(child));
        }
        if (data instanceof ListValue list) {
            return list.withEach((index, item) -> unhashed(item));
        }
        return data instanceof Text text && (isMask(text) || SecretReferences.isReference(text)) ? MASK.secret() : data;
    }

    /* Collects the steps while returning, because nearly all data has no mask. */
    private static boolean hasMask(Value value, Deque<Object> steps) {
        if (value instanceof Text text) {
            return isMask(text) || SecretReferences.isReference(text);
        }
        if (value instanceof MapValue map) {
            for (int i = 0; i < map.size(); i++) {
                if (isCiphertext(map.valueAt(i)) || hasMask(map.valueAt(i), steps)) {
                    steps.addFirst(map.keyAt(i));
                    return true;
                }
            }
        } else if (value instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                if (isCiphertext(list.get(i)) || hasMask(list.get(i), steps)) {
                    steps.addFirst(i);
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isCiphertext(Value value) {
        return value instanceof MapValue map && map.size() == 1 && map.get(StoragePolicy.SEALED) instanceof Text;
    }

    /**
     * Hides the secrets in the data of a document. If its storage policy is encrypted, all of its data is secret. A
     * redaction in clear text only marks the secrets. Returns Java's null for null, which means no document.
     */
    public MapValue published(MapValue document) {
        if (document == null || !document.has(DATA)) {
            return document;
        }
        return document.with(DATA, data(secretData(document)));
    }

    private static Value secretData(MapValue document) {
        return document.get(DATA).secretIf(StoragePolicy.isEncrypted(document));
    }

    /**
     * Hides the secrets of a rendered document, as {@link #published}. If secrets were hidden, the storage policy of
     * the result is encrypted, also if the secrets come from other documents, as in Deckhand.
     */
    public MapValue rendered(MapValue document) {
        MapValue shown = published(document);
        return isCleartext()
                        || shown == null
                        || !shown.has(DATA)
                        || !shown.get(DATA).hasSecrets()
                ? shown
                : toBeEncrypted(shown);
    }

    /** The document with the storage policy encrypted. */
    public static MapValue toBeEncrypted(MapValue document) {
        return document.get("metadata") instanceof MapValue metadata
                ? document.with("metadata", metadata.with(StoragePolicy.KEY, StoragePolicy.ENCRYPTED.text()))
                : document;
    }
}
