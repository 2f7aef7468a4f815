package dev.strake.engine.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/** Values in the form that the JSON Schema library reads. */
final class JsonNodes {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonNodes() {}

    static JsonNode of(Value value) {
        if (value instanceof MapValue map) {
            ObjectNode node = NODES.objectNode();
            map.forEach((key, item) -> node.set(key, of(item)));
            return node;
        } else if (value instanceof ListValue list) {
            ArrayNode node = NODES.arrayNode(list.size());
            for (int i = 0; i < list.size(); i++) {
                node.add(of(list.get(i)));
            }
            return node;
        } else if (value instanceof Text text) {
            return NODES.textNode(text.value());
        } else if (value instanceof Num num) {
            return number(num);
        } else if (value instanceof Bool bool) {
            return NODES.booleanNode(bool.value());
        }
        return NODES.nullNode();
    }

    /* Numbers with a huge exponent stay what they are to the schema (numbers), but are never written out in digits. */
    private static JsonNode number(Num num) {
        if (!num.isInteger()) {
            return num.literal().length() < 64
                    ? NODES.numberNode(Double.parseDouble(num.literal()))
                    : NODES.numberNode(num.decimal());
        }
        return num.literal().length() <= 18
                ? NODES.numberNode(Long.parseLong(num.literal()))
                : NODES.numberNode(num.decimal().toBigIntegerExact());
    }
}
