package dev.strake.serdes.rendered;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.TextHash;
import java.nio.charset.StandardCharsets;

/**
 * The key of a rendered document's record: {@code workspace|schema|name} in UTF-8. A workspace and a schema never
 * contain a bar. Everything after the second bar is the name, which may contain bars.
 */
public record RenderedKey(String workspace, DocumentKey document) {

    @Override
    public int hashCode() {
        return TextHash.of(TextHash.of(workspace), document.hashCode());
    }

    /** The record's key in UTF-8. */
    public byte[] bytes() {
        return text().getBytes(StandardCharsets.UTF_8);
    }

    /** The record's key as text. */
    public String text() {
        return workspace + "|" + document.schema() + "|" + document.name();
    }

    /**
     * Parses a key.
     *
     * @throws IllegalArgumentException if the text has fewer than two bars
     */
    public static RenderedKey of(String text) {
        String[] parts = text.split("\\|", 3);
        if (parts.length < 3) {
            throw new IllegalArgumentException("the key of a rendered document has to be workspace|schema|name");
        }
        return new RenderedKey(parts[0], new DocumentKey(parts[1], parts[2]));
    }

    /** As {@link #of(String)}, for the bytes of a key. */
    public static RenderedKey of(byte[] bytes) {
        return of(new String(bytes, StandardCharsets.UTF_8));
    }
}
