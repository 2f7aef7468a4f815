package dev.strake.serdes.query;

import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.Option;
import com.jayway.jsonpath.PathNotFoundException;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.query.Selection.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A query of documents in JSONPath, as Jayway's json-path reads it: {@code $..image}, {@code $.data.nodes[?(@.role == 'web')].name}.
 *
 * <p>Whoever may ask may ask anything, so a query is bounded. It has no regular expressions: those of json-path may take
 * time without end. It has no functions behind the path, which calculate in binary floating point; in filters they are
 * allowed. The steps in a document are counted, and so are the selected values and their bytes.
 */
public final class DocumentQuery {

    /** Steps that may be taken in one document. One of 1 MiB takes about 100,000 for {@code $..image}. */
    private static final long MOST_STEPS = 2_000_000;

    private static final int MOST_PARTS = 10_000;
    private static final long MOST_BYTES = 1 << 20;

    private static final int LONGEST = 500;
    private static final int DEEPEST = 20;
    private static final int LONGEST_SHOWN = 60;

    private final JsonPath path;
    private final String text;

    private DocumentQuery(JsonPath path, String text) {
        this.path = path;
        this.text = text;
    }

    /**
     * Reads a query.
     *
     * @throws IllegalArgumentException if it is none, or one that is not allowed; the message says why
     */
    public static DocumentQuery of(String text) {
        String query = text.strip();
        if (!query.startsWith("$")) {
            throw invalid("it has to begin with $, as in $.data.name or $..image");
        }
        if (query.length() > LONGEST) {
            throw invalid("it is longer than " + LONGEST + " characters");
        }
        int regular = query.indexOf("=~");
        if (regular >= 0) {
            throw invalid("regular expressions (=~, character %d) are not allowed; == and contains are"
                    .formatted(regular + 1));
        }
        if (depth(query) > DEEPEST) {
            throw invalid("its brackets are nested more than " + DEEPEST + " deep");
        }
        DocumentQuery read = read(query);
        if (read != null) {
            return read;
        }
        int end = query.length() - 1;
        while (end > 1 && (query.charAt(end - 1) == '[' || read(query.substring(0, end)) == null)) {
            end--;
        }
        if (query.endsWith(")")) { // of a filter, brackets come last
            throw invalid("a function like length() may only stand in a filter: $.data[?(@.nodes.length() > 2)]."
                    + " Here it is at character " + (end + 1));
        }
        String rest = query.substring(Math.max(1, end));
        throw invalid("it cannot be read, or compares what cannot be compared, from character %d on: %s"
                .formatted(
                        Math.max(1, end) + 1, rest.length() > LONGEST_SHOWN ? rest.substring(0, LONGEST_SHOWN) : rest));
    }

    /* Null if it is none. What json-path says of that is about json-path, so it is not handed on. */
    private static DocumentQuery read(String query) {
        try {
            DocumentQuery read = new DocumentQuery(JsonPath.compile(query), query);
            read.read(MapValue.EMPTY, new DocumentTrees(steps -> {}), Option.AS_PATH_LIST);
            return read;
        } catch (PathNotFoundException e) {
            return new DocumentQuery(JsonPath.compile(query), query); // nothing has no such place
        } catch (RuntimeException e) { // of whatever kind: json-path does not foresee all of them
            return null;
        }
    }

    private static IllegalArgumentException invalid(String reason) {
        return new IllegalArgumentException("The query is no JSONPath that can be asked: " + reason + ".");
    }

    private static int depth(String query) {
        int depth = 0;
        int deepest = 0;
        for (int i = 0; i < query.length(); i++) {
            char c = query.charAt(i);
            depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
            deepest = Math.max(deepest, depth);
        }
        return deepest;
    }

    /** Whether it has a filter, so that whether it selects something may tell a value that it does not select. */
    public boolean compares() {
        return text.indexOf('?') >= 0;
    }

    /** What the query selects in a document. */
    public Selection in(Value document) {
        return in(document, steps -> {});
    }

    /**
     * The same, counted.
     *
     * @param effort receives the number of steps
     */
    public Selection in(Value document, LongConsumer effort) {
        long[] steps = new long[1];
        DocumentTrees trees = new DocumentTrees(more -> {
            steps[0] += more;
            if (steps[0] > MOST_STEPS) {
                throw new TooManyStepsException();
            }
        });
        try {
            return read(document, trees);
        } catch (PathNotFoundException e) {
            return new Selection(List.of(), true);
        } catch (RuntimeException e) {
            // Too many steps, or json-path cannot compare some values, which it says in many ways.
            return new Selection(List.of(), false);
        } finally {
            effort.accept(steps[0]);
        }
    }

    private Selection read(Value document, DocumentTrees trees) {
        List<?> paths = read(document, trees, Option.AS_PATH_LIST);
        List<?> values = read(document, trees, Option.ALWAYS_RETURN_LIST);
        List<Part> parts = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < values.size(); i++) {
            Value value = DocumentTrees.value(values.get(i));
            bytes += value.weight();
            if (parts.size() == MOST_PARTS || bytes > MOST_BYTES) {
                return new Selection(parts, false);
            }
            parts.add(new Part(place(document, (String) paths.get(i)), value));
        }
        return new Selection(parts, true);
    }

    private List<?> read(Value document, DocumentTrees trees, Option result) {
        Configuration configuration = Configuration.builder()
                .jsonProvider(trees)
                .mappingProvider(trees)
                .options(result)
                .build();
        return path.read(document, configuration);
    }

    /*
     * A place in our way of writing it. json-path writes keys without escapes, $['a']['b'], so the document decides which
     * keys are meant. What selects several keys at once, $['a','b'], stays as it is.
     */
    private static String place(Value document, String path) {
        Place place = Place.ROOT;
        Value at = document;
        int i = 1;
        while (i < path.length()) {
            if (at instanceof MapValue map) {
                String key = key(map, path, i);
                if (key == null) {
                    return path;
                }
                place = place.at(key);
                at = map.get(key);
                i += key.length() + 4;
            } else if (at instanceof ListValue list) {
                int end = path.indexOf(']', i);
                int index = Integer.parseInt(path.substring(i + 1, end));
                index += index < 0 ? list.size() : 0;
                place = place.at(index);
                at = list.get(index);
                i = end + 1;
            } else {
                return path;
            }
        }
        return place.path();
    }

    private static String key(MapValue map, String path, int from) {
        int end = path.indexOf("']", from);
        while (end >= 0) {
            String key = path.substring(from + 2, end);
            boolean isEnd = end + 2 == path.length() || path.charAt(end + 2) == '[';
            if (isEnd && map.has(key)) {
                return key;
            }
            end = path.indexOf("']", end + 1);
        }
        return null;
    }

    @Override
    public String toString() {
        return text;
    }

    static final class TooManyStepsException extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }
}
