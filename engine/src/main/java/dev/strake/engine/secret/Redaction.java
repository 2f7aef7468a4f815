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
 * How data is shown to somebody: with a mask in the place of each secret leaf, or as it is.
 *
 * <pre>
 *  user: admin            user: ****** 6f1c22ab90d1e0f3
 *  ports: [22, 443]  ──►  ports: [****** 0b77d5e1c2a94d38, ****** 51f0a3de9c64b712]
 *  options: {}            options: ****** 93ce10fd7a2b4586
 * </pre>
 *
 * <p>Keys of maps and lengths of lists stay: they tell where something changed. Behind the mask comes a {@link KeyedHash}, so
 * equal values look equal and others do not. Empty containers, numbers, booleans and null look like any text.
 */
public final class Redaction {

    /** Stands where a value must not be seen. */
    public static final Text MASK = StoragePolicy.MASK;

    /** For those who may see secrets. */
    public static final Redaction CLEARTEXT = new Redaction(null, Extent.LEAF);

    /** With the same mask everywhere: for comparing with what somebody else redacted with another key. */
    public static final Redaction STRUCTURE = new Redaction(Redaction::alike, Extent.LEAF);

    /** With one such mask for each secret place, whatever is in it: it tells no key and no length, either. */
    public static final Redaction PLACES = new Redaction(Redaction::alike, Extent.PLACE);

    /** The only key of data that its publisher sealed, and of a ciphertext in a rendered record. */
    public static final String SEALED = "$sealed";

    private static final String BEFORE_HASH = MASK.value() + " ";

    private static final Pattern SHOWN = Pattern.compile(Pattern.quote(MASK.value()) + " [0-9a-f]{16}");

    /** A {@linkplain MissingKey#placeholder placeholder}, which tells nothing but that a key is missing. */
    private static final Pattern KEYLESS = Pattern.compile(Pattern.quote(MASK.value()) + " no key [0-9a-f]{8}");

    private static final String DATA = "data";

    private final Masks masks;
    private final Extent extent;

    /** What one mask stands for. */
    private enum Extent {
        LEAF,
        PLACE,
        WHOLE
    }

    /** What stands in the place of leaves. */
    @FunctionalInterface
    private interface Masks {

        /** A mask for each leaf, in their order. */
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

    /** With masks that tell equal values of a workspace. */
    public static Redaction of(KeyedHash hash, String workspace) {
        return new Redaction(hashed(hash, workspace), Extent.LEAF);
    }

    /** With one such mask for data as a whole. */
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
     * Data with what is {@linkplain Value#isSecret secret} in it hidden. The masks are marked as secret, so that it is still known what
     * they hide. Java's null, for no data, stays.
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

    /* As deep as a document may be, so this may recurse, and so may what follows. */
    private void collect(Value value, List<Value> leaves) {
        if (isEntered(value) && value instanceof Container container) {
            for (int i = 0; i < container.size(); i++) {
                collect(container.valueAt(i), leaves);
            }
        } else if (value.isSecret() && !isKeyless(value)) {
            leaves.add(value);
        }
    }

    /* In the order in which leaves are collected. */
    private Value replaced(Value value, Iterator<Text> masks) {
        if (isEntered(value) && value instanceof MapValue map) {
            return map.withEach((key, child) -> replaced(child, masks));
        }
        if (isEntered(value) && value instanceof ListValue list) {
            return list.withEach((index, item) -> replaced(item, masks));
        }
        return !value.isSecret() || isKeyless(value) ? value : masks.next();
    }

    private boolean isEntered(Value value) {
        return value.hasSecrets() && isOpen(value) && !(extent == Extent.PLACE && value.isSecret());
    }

    /** Whether the keys or the length of a container are shown, and each of its values has a mask of its own. */
    static boolean isOpen(Value value) {
        return value instanceof Container container
                && !container.isEmpty()
                && !(value instanceof MapValue map && map.isClosed());
    }

    private static boolean isKeyless(Value value) {
        return value instanceof Text text
                && text.value().startsWith(MASK.value())
                && KEYLESS.matcher(text.value()).matches();
    }

    /**
     * Where two trees differ that are shown like this, if they are. What is secret in one of them is hidden in the other one, too: a
     * value that becomes secret may be the same as before.
     */
    public List<PlaceChange> changes(Value before, Value after) {
        return PlaceChange.between(before, after, value -> data(value.secret()));
    }

    /* Nearly all texts begin with something else, and need no pattern. */
    private static boolean isMask(Text text) {
        return text.value().startsWith(MASK.value())
                && (SHOWN.matcher(text.value()).matches() || isKeyless(text));
    }

    /**
     * Where data has a mask, a {@linkplain SecretReferences reference} or a ciphertext in the place of a value: it was read without its
     * secrets, and its author means the value. Sealed data as a whole is none: the service opens it.
     *
     * @return the first such place; null if there is none
     */
    public static Place maskIn(Value data) {
        Deque<Object> steps = new ArrayDeque<>();
        return hasMask(data, steps) ? new Place(List.copyOf(steps)) : null;
    }

    /**
     * Data that was read redacted, with the same mask everywhere, as of {@link #STRUCTURE}: for comparing with what was redacted
     * with another key.
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

    /* The steps are collected on the way back: nearly all data has no mask. */
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
        return value instanceof MapValue map && map.size() == 1 && map.get(SEALED) instanceof Text;
    }

    /**
     * A document with the secrets of its data hidden; with all of its data, if its author wants it kept encrypted. In clear text
     * they are marked as secret. Java's null, for no document, stays.
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
     * The same of a rendered document. It says that it is to be kept encrypted, also where it has secrets only because of others,
     * as in Deckhand.
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

    /** A document that says that it is to be kept encrypted. */
    public static MapValue toBeEncrypted(MapValue document) {
        return document.get("metadata") instanceof MapValue metadata
                ? document.with("metadata", metadata.with(StoragePolicy.KEY, StoragePolicy.ENCRYPTED.text()))
                : document;
    }
}
