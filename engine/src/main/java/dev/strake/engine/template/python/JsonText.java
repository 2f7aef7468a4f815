package dev.strake.engine.template.python;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;

/** Reads JSON that stands in a text of a template, as a value of a json parameter may. */
public final class JsonText {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .configure(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES, false)
            .configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(64).build())
            .build();

    private JsonText() {}

    /**
     * The value that a text holds; the last of two equal keys counts.
     *
     * @throws IllegalArgumentException if it is not exactly one JSON text
     */
    public static Value read(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new IllegalArgumentException("the text is empty");
            }
            Value value = value(parser, first);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("something follows the end of the JSON text");
            }
            return value;
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Exception e) { // from reading text in memory: it is no JSON, or beyond the limits above
            throw new IllegalArgumentException("the text is no JSON", e);
        }
    }

    private static Value value(JsonParser parser, JsonToken token) throws Exception {
        return switch (token) {
            case START_OBJECT -> {
                MapValue.Builder map = MapValue.builder();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String key = parser.currentName();
                    map.put(key, value(parser, parser.nextToken()));
                }
                yield map.build();
            }
            case START_ARRAY -> {
                List<Value> items = new ArrayList<>();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    items.add(value(parser, next));
                }
                yield ListValue.of(items);
            }
            case VALUE_STRING -> new Text(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Num.ofLiteral(parser.getText());
            case VALUE_TRUE -> Bool.TRUE;
            case VALUE_FALSE -> Bool.FALSE;
            case VALUE_NULL -> Null.NULL;
            default -> throw new IllegalArgumentException("the text is no JSON");
        };
    }
}
