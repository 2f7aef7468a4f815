package dev.strake.engine;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Converts trees from and to JSON text, for tests. */
public final class Json {

    /** Reads names of any length, as the engine does. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private Json() {}

    /** Parses JSON in which single quotes may replace double ones, to keep Java source readable. */
    public static Value value(String json) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            parser.enable(com.fasterxml.jackson.core.json.JsonReadFeature.ALLOW_SINGLE_QUOTES.mappedFeature());
            parser.nextToken();
            return read(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static MapValue map(String json) {
        return (MapValue) value(json);
    }

    public static String text(Value value) {
        return JsonBytes.text(value);
    }

    private static Value read(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                MapValue.Builder map = MapValue.builder();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String key = parser.currentName();
                    parser.nextToken();
                    map.put(key, read(parser));
                }
                yield map.build();
            }
            case START_ARRAY -> {
                List<Value> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(read(parser));
                }
                yield ListValue.of(items);
            }
            case VALUE_STRING -> new Text(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Num.ofLiteral(parser.getText());
            case VALUE_TRUE -> Bool.TRUE;
            case VALUE_FALSE -> Bool.FALSE;
            default -> Null.NULL;
        };
    }
}
