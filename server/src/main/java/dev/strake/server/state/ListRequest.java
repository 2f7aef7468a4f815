package dev.strake.server.state;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.query.DocumentQuery;
import dev.strake.server.http.Request;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters of a list request: filters and paging.
 *
 * @param schema complete, or without its last parts: {@code armada/Chart} matches all its versions
 * @param labels a document has to have all of them
 * @param query selects parts of documents; documents without a match are omitted
 * @param limit the maximum number of items on the page; empty for all
 * @param after the names of the last item of the previous page: a document's schema, layer and name, a bucket, or a
 *     revision; empty for the first page
 */
public record ListRequest(
        Optional<String> schema,
        Optional<String> name,
        Map<String, String> labels,
        Optional<DocumentQuery> query,
        Optional<Integer> limit,
        List<String> after) {

    private static final int MOST = 10_000;

    /**
     * Parses the parameters of a request.
     *
     * @throws IllegalArgumentException if a parameter is invalid
     */
    public static ListRequest of(Request request) {
        return new ListRequest(
                request.parameter("schema"),
                request.parameter("name"),
                labels(request.parameters("label")),
                request.parameter("query").map(DocumentQuery::of),
                request.parameter("limit").map(ListRequest::limit),
                request.parameter("after").map(ListRequest::read).orElse(List.of()));
    }

    private static Map<String, String> labels(List<String> given) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String label : given) {
            int equals = label.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("label has to be KEY=VALUE.");
            }
            String value = label.substring(equals + 1);
            String other = labels.put(label.substring(0, equals), value);
            if (other != null && !other.equals(value)) {
                throw new IllegalArgumentException(
                        "A label has one value in a document, but the request has two. " + "Send one.");
            }
        }
        return labels;
    }

    private static Integer limit(String text) {
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST) {
            throw new IllegalArgumentException("limit has to be a whole number from 1 to " + MOST + ".");
        }
        return Integer.valueOf(text);
    }

    /** Encodes the names of an item for use in a URL; opaque to clients. */
    static String cursor(List<String> names) {
        KeyWriter writer = new KeyWriter();
        names.forEach(writer::text);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(writer.bytes());
    }

    private static List<String> read(String cursor) {
        List<String> names = new ArrayList<>();
        try {
            KeyReader reader = new KeyReader(Base64.getUrlDecoder().decode(cursor));
            while (!reader.atEnd()) {
                names.add(reader.text());
            }
        } catch (IllegalArgumentException e) {
            throw unknown();
        }
        return names;
    }

    /**
     * Returns the names of the last item of the previous page; empty for the first page.
     *
     * @throws IllegalArgumentException if the number of names does not fit this list
     */
    Optional<List<String>> after(int names) {
        if (!after.isEmpty() && after.size() != names) {
            throw unknown();
        }
        return after.isEmpty() ? Optional.empty() : Optional.of(after);
    }

    private static IllegalArgumentException unknown() {
        return new IllegalArgumentException("after has to be the value of next from the previous answer.");
    }

    /** Whether no filter is set. */
    boolean isAll() {
        return schema.isEmpty() && name.isEmpty() && labels.isEmpty() && query.isEmpty();
    }

    boolean isNamed(DocumentId id) {
        return name.map(id.name()::equals).orElse(true)
                && schema.map(each -> id.schema().equals(each) || id.schema().startsWith(each + "/"))
                        .orElse(true);
    }

    boolean isLabelled(Document document) {
        for (Map.Entry<String, String> label : labels.entrySet()) {
            if (!new Text(label.getValue()).equals(document.labels().get(label.getKey()))) {
                return false;
            }
        }
        return true;
    }
}
