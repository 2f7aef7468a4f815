package dev.strake.server.state;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.query.DocumentQuery;
import dev.strake.server.http.Request;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which documents of a list are asked for, and which parts of them.
 *
 * @param schema as written, or without its last parts: {@code armada/Chart} is any version of it
 * @param labels all of which a document has to have
 * @param query selects parts of documents; what it selects nothing in is left out
 */
record Wanted(
        Optional<String> schema, Optional<String> name, Map<String, String> labels, Optional<DocumentQuery> query) {

    /** What a route that knows all of them has to list among its parameters. */
    static final List<String> PARAMETERS = List.of("schema", "name", "label*", "query");

    /**
     * What a client asks for.
     *
     * @throws IllegalArgumentException if it cannot be asked for
     */
    static Wanted of(Request request) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String label : request.parameters("label")) {
            int equals = label.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("label has to be KEY=VALUE.");
            }
            String value = label.substring(equals + 1);
            if (!value.equals(labels.getOrDefault(label.substring(0, equals), value))) {
                throw new IllegalArgumentException("A document has one value of a label, and two are asked for.");
            }
            labels.put(label.substring(0, equals), value);
        }
        return new Wanted(
                request.parameter("schema"),
                request.parameter("name"),
                labels,
                request.parameter("query").map(DocumentQuery::of));
    }

    /** Whether a list is asked for as it is. */
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
