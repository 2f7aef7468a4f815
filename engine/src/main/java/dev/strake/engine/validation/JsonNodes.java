package dev.strake.engine.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.math.BigInteger;

/** Converts values to the form that the JSON Schema library reads. */
final class JsonNodes {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final int MOST_DIGITS = 1_000;
    private static final BigInteger BEYOND = BigInteger.TEN.pow(MOST_DIGITS);

    private JsonNodes() {}

    static JsonNode of(Value value, Budget budget) {
        budget.spend(Budget.ENTRY);
        if (value instanceof MapValue map) {
            ObjectNode node = NODES.objectNode();
            map.forEach((key, item) -> node.set(key, of(item, budget)));
            return node;
        } else if (value instanceof ListValue list) {
            ArrayNode node = NODES.arrayNode(list.size());
            for (int i = 0; i < list.size(); i++) {
                node.add(of(list.get(i), budget));
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

    /*
     * The cost of checking a number grows with its digits, and more so with its exponent. So an integer with too many
     * digits becomes a power of ten, and a number with fraction or exponent becomes the nearest double.
     */
    private static JsonNode number(Num num) {
        if (!num.isInteger()) {
            return NODES.numberNode(Double.parseDouble(num.literal()));
        }
        if (num.literal().length() <= 18) {
            return NODES.numberNode(Long.parseLong(num.literal()));
        }
        if (num.literal().length() <= MOST_DIGITS) {
            return NODES.numberNode(new BigInteger(num.literal()));
        }
        return NODES.numberNode(num.literal().startsWith("-") ? BEYOND.negate() : BEYOND);
    }

    /** Converts every number to a decimal: 1 and 1.0 are equal in JSON Schema, but not in the library. */
    static JsonNode withNumbersByWorth(JsonNode node) {
        if (node instanceof ArrayNode list) {
            ArrayNode result = NODES.arrayNode(list.size());
            list.forEach(item -> result.add(withNumbersByWorth(item)));
            return result;
        }
        if (node instanceof ObjectNode map) {
            ObjectNode result = NODES.objectNode();
            map.properties().forEach(entry -> result.set(entry.getKey(), withNumbersByWorth(entry.getValue())));
            return result;
        }
        boolean isEndless = node.isDouble() && Double.isInfinite(node.doubleValue());
        return node.isNumber() && !isEndless
                ? NODES.numberNode(node.decimalValue().stripTrailingZeros())
                : node;
    }
}
