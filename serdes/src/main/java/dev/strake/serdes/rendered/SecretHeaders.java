package dev.strake.serdes.rendered;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.secret.SecretsOutput;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The headers of a rendered record that describe its secrets.
 *
 * <pre>
 *  secret: true
 *  secret-paths: ["/env/0/value"]    places of secrets, including all nested values; [""] for all of the data
 *  secret-data: redacted             the form of the secrets; absent for clear text
 * </pre>
 *
 * @param paths JSON pointers (RFC 6901) into the data; empty if it has no secrets
 * @param data {@code redacted}, {@code encrypted} or {@code references}; null for clear text
 */
public record SecretHeaders(List<String> paths, String data) {

    /** For records without secrets, and for tombstones. */
    public static final SecretHeaders NONE = new SecretHeaders(List.of(), null);

    private static final String TRUE = "true";

    /** The places in older records with secrets, which did not name places. */
    private static final List<String> ALL = List.of("");

    public SecretHeaders {
        paths = List.copyOf(paths);
    }

    /** Returns the headers of a record with secrets at the given places. */
    public static SecretHeaders of(SecretPlaces places, String data) {
        return places.isEmpty() ? NONE : new SecretHeaders(texts(places.pointers()), data);
    }

    public boolean areThere() {
        return !paths.isEmpty();
    }

    /** The places of secrets in a document. */
    SecretPlaces in(MapValue document) {
        if (!areThere()) {
            return SecretPlaces.NONE;
        }
        if (!document.has("data")) {
            throw new IllegalArgumentException("a document without data cannot have secrets");
        }
        return SecretPlaces.at(paths, document.get("data"));
    }

    /** Whether the data contains masks or references instead of secrets. */
    public boolean isRedacted() {
        return SecretsOutput.REDACTED.text().equals(data)
                || SecretsOutput.REFERENCES.text().equals(data);
    }

    void write(Headers headers) {
        if (areThere()) {
            HeaderNames.add(headers, HeaderNames.SECRET, TRUE);
            Value list = ListValue.of(paths.stream().map(Text::new).toList());
            headers.add(HeaderNames.SECRET_PATHS, JsonBytes.of(list));
        }
        HeaderNames.add(headers, HeaderNames.SECRET_DATA, data);
    }

    /**
     * Reads the headers of a record.
     *
     * @throws IllegalArgumentException if no pipeline wrote these headers
     */
    public static SecretHeaders read(Headers headers) {
        String secret = HeaderNames.text(headers, HeaderNames.SECRET);
        Header paths = headers.lastHeader(HeaderNames.SECRET_PATHS);
        String data = HeaderNames.text(headers, HeaderNames.SECRET_DATA);
        if (secret == null && paths == null && data == null) {
            return NONE;
        }
        if (!TRUE.equals(secret)) {
            throw new IllegalArgumentException("a record with secrets needs the header " + HeaderNames.SECRET);
        }
        return new SecretHeaders(paths == null ? ALL : texts(JsonReader.read(paths.value())), data);
    }

    private static List<String> texts(Value list) {
        if (!(list instanceof ListValue pointers) || pointers.size() == 0) {
            throw noPaths();
        }
        List<String> texts = new ArrayList<>();
        for (Value each : pointers.items()) {
            if (!(each instanceof Text text)) {
                throw noPaths();
            }
            texts.add(text.value());
        }
        return texts;
    }

    private static IllegalArgumentException noPaths() {
        return new IllegalArgumentException("the header " + HeaderNames.SECRET_PATHS + " has to be a list of places");
    }
}
