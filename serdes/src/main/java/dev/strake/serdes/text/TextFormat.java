package dev.strake.serdes.text;

import java.util.Locale;
import java.util.Optional;

/** The language of a text, given by its content type or detected from the text. */
public enum TextFormat {
    /** A stream of YAML documents. JSON in it is read by the rules of YAML. */
    YAML,
    /** One JSON text, read strictly. */
    JSON,
    /** JSON if the text starts with a brace or bracket and is valid JSON, otherwise YAML. */
    DETECTED;

    /**
     * Returns the format of a content type; empty for another media type, or a character set other than UTF-8.
     *
     * @param contentType as in HTTP, for example {@code application/json; charset=utf-8}
     */
    public static Optional<TextFormat> ofContentType(String contentType) {
        String[] pieces = contentType.toLowerCase(Locale.ROOT).split(";", -1);
        for (int i = 1; i < pieces.length; i++) {
            String parameter = pieces[i].replace("\"", "").strip();
            if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
                return Optional.empty();
            }
        }
        return switch (pieces[0].strip()) {
            case "application/x-yaml", "application/yaml", "text/yaml", "text/x-yaml" -> Optional.of(YAML);
            case "application/json", "text/json" -> Optional.of(JSON);
            default -> Optional.empty();
        };
    }
}
