package dev.strake.engine.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads one JSON text. The last of several equal keys wins. */
public final class JsonReader {

    /** More than any document may have, and no more than the stack of a thread allows. */
    private static final int DEEPEST = 2_000;

    /**
     * Parses texts of authors. The caller has to limit their size and depth. Keys are not shared in a symbol table,
     * because an author could fill the table with colliding hashes.
     */
    public static final JsonFactory OF_AUTHORS = factory(false);

    private static final JsonFactory OWN = factory(true);

    private final JsonParser parser;
    private final int deepest;

    private JsonReader(JsonParser parser, int deepest) {
        this.parser = parser;
        this.deepest = deepest;
    }

    private static JsonFactory factory(boolean sharesKeys) {
        return JsonFactory.builder()
                .configure(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES, sharesKeys)
                .configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false)
                .configure(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW, false)
                // Each thread keeps its buffers. A shared pool costs a microsecond more for each text.
                .recyclerPool(JsonRecyclerPools.threadLocalPool())
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(Integer.MAX_VALUE)
                        .maxStringLength(Integer.MAX_VALUE)
                        .maxNumberLength(Integer.MAX_VALUE)
                        .maxNameLength(Integer.MAX_VALUE)
                        .build())
                .build();
    }

    /**
     * Reads JSON that a program wrote, not an author.
     *
     * @throws IllegalArgumentException if the bytes are not exactly one JSON text
     */
    public static Value read(byte[] json) {
        try (JsonParser parser = OWN.createParser(json)) {
            return new JsonReader(parser, DEEPEST).whole();
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read a JSON value from " + json.length + " bytes", e);
        }
    }

    /** {@link #read(byte[])} of a text. */
    public static Value read(String json) {
        return read(json.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads the text of an author.
     *
     * @param deepest the maximum depth of nested mappings and lists
     * @throws IllegalArgumentException if the text is deeper, or not exactly one JSON text
     */
    public static Value read(String text, int deepest) {
        try (JsonParser parser = OF_AUTHORS.createParser(text)) {
            return new JsonReader(parser, deepest).whole();
        } catch (IOException e) {
            throw new IllegalArgumentException("the text is not JSON", e);
        }
    }

    private Value whole() throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw new IllegalArgumentException("the text is empty");
        }
        Value value = value(first, deepest);
        if (parser.nextToken() != null) {
            throw new IllegalArgumentException("the text continues after the end of the JSON value");
        }
        return value;
    }

    private Value value(JsonToken token, int levels) throws IOException {
        if (token.isStructStart() && levels == 0) {
            throw new IllegalArgumentException("the text is nested more than " + deepest + " levels deep");
        }
        return switch (token) {
            case START_OBJECT -> {
                MapValue.Builder map = MapValue.builder();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String key = parser.currentName();
                    map.put(key, value(parser.nextToken(), levels - 1));
                }
                yield map.build();
            }
            case START_ARRAY -> {
                List<Value> items = new ArrayList<>();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    items.add(value(next, levels - 1));
                }
                yield ListValue.of(items);
            }
            case VALUE_STRING -> new Text(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Num.ofLiteral(parser.getText());
            case VALUE_TRUE -> Bool.TRUE;
            case VALUE_FALSE -> Bool.FALSE;
            case VALUE_NULL -> Null.NULL;
            default -> throw new IllegalStateException("no value begins with this JSON token");
        };
    }
}
