package dev.strake.engine.secret;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Replaces each secret leaf in the data of a rendered document by a reference: the path of the HTTP request that
 * returns the value to authorized clients, and after {@code #} the {@link KeyedHash} of the value.
 *
 * <pre>
 *  password: x  ──►  password: /workspaces/site-a/rendered?schema=example/Database/v1&amp;name=db&amp;query=$.data.password
 *                                &amp;cleartext-secrets=true#6f1c22ab90d1e0f3          (in one line)
 * </pre>
 *
 * <p>A reference names no revision. Equal values have equal references in all revisions; a changed value has a new one.
 */
public final class SecretReferences {

    private static final String DATA = "data";

    /** The maximum length of a query. The reference of a leaf with a longer path omits the path. */
    private static final int LONGEST_QUERY = 500;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String PLAIN_SIGNS = "-._~/$";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final String BEGIN = "/workspaces/";
    private static final String END = "&cleartext-secrets=true#";
    private static final Pattern REFERENCE =
            Pattern.compile(Pattern.quote(BEGIN) + "[^?]+/rendered\\?.*" + Pattern.quote(END) + "[0-9a-f]{16}");

    private final KeyedHash hash;
    private final String workspace;
    private final String document;
    private final long mostBytes;
    private long bytes;

    private SecretReferences(KeyedHash hash, String workspace, DocumentKey name, long mostBytes) {
        this.hash = hash;
        this.workspace = workspace;
        this.document = BEGIN + encoded(workspace) + "/rendered?schema=" + encoded(name.schema()) + "&name="
                + encoded(name.name());
        this.mostBytes = mostBytes;
    }

    /**
     * Replaces the secret values of a rendered document by references.
     *
     * @param mostBytes the limit for the document and its references; the result is empty if they take more
     */
    public static Optional<MapValue> in(
            MapValue rendered, String workspace, DocumentKey name, KeyedHash hash, long mostBytes) {
        SecretReferences references = new SecretReferences(hash, workspace, name, mostBytes - rendered.weight());
        Value data = rendered.get(DATA);
        Value referred = references.of(data, "$." + DATA);
        return references.isTooLong() ? Optional.empty() : Optional.of(rendered.with(DATA, referred));
    }

    /** Replaces the data of a rendered document as a whole by one reference. */
    public static MapValue ofWhole(MapValue rendered, String workspace, DocumentKey name, KeyedHash hash) {
        SecretReferences references = new SecretReferences(hash, workspace, name, 0);
        return rendered.with(DATA, references.reference(rendered.get(DATA), "$." + DATA));
    }

    static boolean isReference(Text text) {
        return text.value().startsWith(BEGIN) && REFERENCE.matcher(text.value()).matches();
    }

    private boolean isTooLong() {
        return bytes > mostBytes;
    }

    /* Recursive: documents have limited depth. */
    private Value of(Value value, String place) {
        if (isTooLong()) {
            return value; // the whole result is discarded
        }
        if (!value.hasSecrets()) {
            return value;
        }
        if (Redaction.isOpen(value) && value instanceof MapValue map) {
            return map.withEach((key, child) -> of(child, place + step(key)));
        }
        if (Redaction.isOpen(value) && value instanceof ListValue list) {
            return list.withEach((index, item) -> of(item, place + "[" + index + "]"));
        }
        Text reference = reference(value, place);
        bytes += reference.value().length() + 2;
        return reference;
    }

    private static String step(String key) {
        return PLAIN.matcher(key).matches()
                ? "." + key
                : "['" + key.replace("\\", "\\\\").replace("'", "\\'") + "']";
    }

    private Text reference(Value value, String place) {
        String query = place.length() > LONGEST_QUERY ? "" : "&query=" + encoded(place);
        return new Text(document + query + END + hash.of(workspace, value));
    }

    /* Percent-encodes the bytes of UTF-8 that a path or query does not allow. Both allow a slash and a dollar. */
    private static String encoded(String text) {
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (each & 0xff);
            if (character < 128 && (Character.isLetterOrDigit(character) || PLAIN_SIGNS.indexOf(character) >= 0)) {
                encoded.append(character);
            } else {
                encoded.append('%').append(HEX.toHexDigits(each));
            }
        }
        return encoded.toString();
    }
}
