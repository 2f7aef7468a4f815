package dev.strake.serdes.query;

import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.InvalidPathException;
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
 * A JSONPath query, parsed by Jayway's json-path: {@code $..image}, {@code $.data.nodes[?(@.role == 'web')].name}.
 *
 * <p>Queries come from untrusted clients, so they are bounded. Regular expressions are rejected, because those of
 * json-path may never terminate. Functions at the end of a path are rejected, because they calculate in binary floating
 * point; filters may use functions. Steps in a document, selected values and their bytes are limited.
 */
public final class DocumentQuery {

    /** The most steps in one document. The query {@code $..image} takes about 100,000 steps in a document of 1 MiB. */
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
     * Parses a query.
     *
     * @throws IllegalArgumentException if the query is malformed or not allowed; the message says why
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
            throw invalid("regular expressions (=~, at character %d) are not allowed; use == or contains"
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
        if (query.endsWith(")")) { // a filter ends with brackets
            throw invalid(
                    "functions such as length() are allowed only in a filter, as in $.data[?(@.nodes.length() > 2)]."
                            + " This one is at character " + (end + 1));
        }
        String rest = query.substring(Math.max(1, end));
        throw invalid("it cannot be parsed, or compares values of different kinds, at character %d: %s"
                .formatted(
                        Math.max(1, end) + 1, rest.length() > LONGEST_SHOWN ? rest.substring(0, LONGEST_SHOWN) : rest));
    }

    /* Returns null for a malformed query. The messages of json-path describe json-path itself, so they are dropped. */
    private static DocumentQuery read(String query) {
        try {
            DocumentQuery read = new DocumentQuery(JsonPath.compile(query), query);
            read.read(MapValue.EMPTY, new DocumentTrees(steps -> {}), Option.AS_PATH_LIST);
            return read;
        } catch (PathNotFoundException e) {
            return new DocumentQuery(JsonPath.compile(query), query); // the empty document has no such place
        } catch (RuntimeException e) { // any type: json-path throws exceptions that it does not declare
            return null;
        }
    }

    private static IllegalArgumentException invalid(String reason) {
        return new IllegalArgumentException("The query is not an allowed JSONPath: " + reason + ".");
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

    /** Whether the query has a filter. The result of a filter may reveal a value that is not selected. */
    public boolean compares() {
        return text.indexOf('?') >= 0;
    }

    /** Returns the selected values of a document. */
    public Selection in(Value document) {
        return in(document, steps -> {});
    }

    /**
     * As {@link #in(Value)}, with the number of steps.
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
            // Too many steps, or values that json-path cannot compare (reported by exceptions of many types).
            return new Selection(List.of(), isFilterOfNothing(e));
        } finally {
            effort.accept(steps[0]);
        }
    }

    /* A filter selects nothing from a text or number, as after '..'. Only the message of json-path identifies this case. */
    private static boolean isFilterOfNothing(RuntimeException e) {
        return e instanceof InvalidPathException
                && String.valueOf(e.getMessage()).contains("can not be applied to primitives");
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
     * Converts a path of json-path to our notation. json-path does not escape keys, as in $['a']['b'], so the document
     * decides which keys are meant. A path that selects several keys at once, as $['a','b'], stays unchanged.
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

    static final class TooManyStepsException extends RuntimeException {}
}
