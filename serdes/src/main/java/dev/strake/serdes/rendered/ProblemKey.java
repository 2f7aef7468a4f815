package dev.strake.serdes.rendered;

import dev.strake.engine.identity.DocumentId;
import java.nio.charset.StandardCharsets;

/**
 * The key of a render problem's record: {@code workspace|schema|layer|name} in UTF-8. A workspace and a schema never
 * contain a bar. In the layer, {@code %} is written {@code %25} and {@code |} is written {@code %7C}. Everything after
 * the third bar is the unchanged name. A problem of the workspace as a whole has three empty parts, {@code ws|||}.
 *
 * @param document null for a problem of the workspace as a whole
 */
public record ProblemKey(String workspace, DocumentId document) {

    /** The record's key in UTF-8. */
    public byte[] bytes() {
        return text().getBytes(StandardCharsets.UTF_8);
    }

    /** The record's key as text. */
    public String text() {
        if (document == null) {
            return workspace + "|||";
        }
        String layer = document.layer().replace("%", "%25").replace("|", "%7C");
        return workspace + "|" + document.schema() + "|" + layer + "|" + document.name();
    }

    /**
     * Parses a key.
     *
     * @throws IllegalArgumentException if the text has fewer than three bars
     */
    public static ProblemKey of(String text) {
        String[] parts = text.split("\\|", 4);
        if (parts.length < 4) {
            throw new IllegalArgumentException("the key of a problem has to be workspace|schema|layer|name");
        }
        if (parts[1].isEmpty() && parts[2].isEmpty() && parts[3].isEmpty()) {
            return new ProblemKey(parts[0], null);
        }
        String layer = parts[2].replace("%7C", "|").replace("%25", "%");
        return new ProblemKey(parts[0], new DocumentId(parts[1], layer, parts[3]));
    }

    /** As {@link #of(String)}, for the bytes of a key. */
    public static ProblemKey of(byte[] bytes) {
        return of(new String(bytes, StandardCharsets.UTF_8));
    }
}
