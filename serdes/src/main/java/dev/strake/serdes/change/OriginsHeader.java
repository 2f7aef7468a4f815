package dev.strake.serdes.change;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.strake.engine.tree.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The header {@code origins}: where an author keeps the documents of a record. The header is a JSON array with one text
 * for each document, in their order:
 *
 * <pre>{@code ["sites/a/db.yaml:12@4f2a91c", "sites/a/db.yaml:40", ""]}</pre>
 *
 * <p>An origin is any text of one line; it is empty if the origin of a document is unknown.
 */
public final class OriginsHeader {

    public static final int LONGEST = 1024;

    /** The most characters of the header. */
    public static final int LONGEST_HEADER = 4 << 20;

    private static final char REPLACEMENT = '\uFFFD';

    /** Disables the cache of field names, because the header contains no objects. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private OriginsHeader() {}

    /**
     * Returns an origin as an item of the header. Forbidden characters are replaced, because file names may contain
     * any. A text that is too long loses its beginning, because the line number is at its end.
     */
    public static Text item(String origin) {
        return new Text(fit(origin));
    }

    private static String fit(String origin) {
        StringBuilder fit = new StringBuilder();
        origin.codePoints()
                .map(character -> isNotPrinted(character) ? REPLACEMENT : character)
                .forEach(fit::appendCodePoint);
        if (fit.length() > LONGEST) {
            int from = fit.length() - LONGEST + 1;
            fit.replace(0, Character.isLowSurrogate(fit.charAt(from)) ? from + 1 : from, "…");
        }
        return fit.toString();
    }

    /**
     * Parses a header, whose length the caller has checked.
     *
     * @param most the largest number of documents in a change
     * @throws IllegalArgumentException if the header is not an array of texts; the message says why
     */
    static List<String> read(String header, int most) {
        List<String> origins = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(header)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new IllegalArgumentException("is not a JSON array");
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (parser.currentToken() != JsonToken.VALUE_STRING) {
                    throw new IllegalArgumentException("has an item that is not text, number " + origins.size());
                }
                if (origins.size() == most) {
                    throw new IllegalArgumentException("has more than " + most + " items");
                }
                origins.add(checked(parser, origins.size()));
            }
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("continues after its JSON array");
            }
            return origins;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("is not JSON", e);
        } catch (IOException e) {
            throw new UncheckedIOException("reading a text in memory cannot fail", e);
        }
    }

    private static String checked(JsonParser parser, int number) throws IOException {
        if (parser.getTextLength() > LONGEST) {
            throw new IllegalArgumentException("has an item of more than " + LONGEST + " characters, number " + number);
        }
        String origin = parser.getText();
        if (origin.codePoints().anyMatch(OriginsHeader::isNotPrinted)) {
            throw new IllegalArgumentException("has an item that is not one line of text, number " + number);
        }
        return origin;
    }

    private static boolean isNotPrinted(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                true;
            default -> false;
        };
    }
}
