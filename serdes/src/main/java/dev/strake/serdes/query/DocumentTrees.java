package dev.strake.serdes.query;

import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.TypeRef;
import com.jayway.jsonpath.internal.filter.ValueNode;
import com.jayway.jsonpath.spi.json.AbstractJsonProvider;
import com.jayway.jsonpath.spi.mapper.MappingProvider;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Adapts trees to json-path without copying; numbers keep their form. Every access to a tree counts as a step, and so does
 * every result: json-path asks {@link #isArray} or {@link #isMap} before it adds one.
 */
final class DocumentTrees extends AbstractJsonProvider implements MappingProvider {

    /** Comparing two numbers takes time quadratic in the number of digits. */
    private static final int DIGITS_A_STEP = 100;

    private final LongConsumer steps;

    /** @param steps receives the number of steps before they are taken; its exception stops the query */
    DocumentTrees(LongConsumer steps) {
        this.steps = steps;
    }

    /** Converts a result of a query into a value. */
    static Value value(Object result) {
        if (result instanceof Value value) {
            return value;
        }
        if (result instanceof Map<?, ?> map) { // several keys selected at once
            MapValue.Builder builder = MapValue.builder();
            map.forEach((key, item) -> builder.put((String) key, value(item)));
            return builder.build();
        }
        throw new IllegalArgumentException(
                "a query returned a " + result.getClass().getName());
    }

    @Override
    public Object createArray() {
        return new ArrayList<>();
    }

    @Override
    public Object createMap() {
        return new LinkedHashMap<String, Object>();
    }

    @Override
    public boolean isArray(Object value) {
        steps.accept(1);
        return value instanceof ListValue || value instanceof List;
    }

    @Override
    public boolean isMap(Object value) {
        steps.accept(1);
        return value instanceof MapValue || value instanceof Map;
    }

    @Override
    public int length(Object value) {
        steps.accept(1);
        if (value instanceof ListValue list) {
            return list.size();
        } else if (value instanceof List<?> list) {
            return list.size();
        } else if (value instanceof MapValue map) {
            return map.size();
        } else if (value instanceof Text text) {
            return text.value().length();
        }
        throw new IllegalArgumentException("only lists, mappings and texts have a length");
    }

    @Override
    public Iterable<?> toIterable(Object value) {
        if (value instanceof ListValue list) {
            steps.accept(list.size());
            return list.items();
        } else if (value instanceof MapValue map) {
            steps.accept(map.size());
            return map.keys().stream().map(map::get).toList();
        }
        return (List<?>) value;
    }

    @Override
    public Collection<String> getPropertyKeys(Object map) {
        if (map instanceof MapValue value) {
            steps.accept(value.size());
            return value.keys();
        }
        throw new IllegalArgumentException("only mappings have keys");
    }

    @Override
    public Object getArrayIndex(Object array, int index) {
        steps.accept(1);
        return array instanceof ListValue list ? list.get(index) : super.getArrayIndex(array, index);
    }

    @Override
    public Object getMapValue(Object map, String key) {
        steps.accept(1);
        Value found = map instanceof MapValue value ? value.get(key) : null;
        return found == null ? UNDEFINED : found;
    }

    /** Unwraps a value for comparison in filters. */
    @Override
    public Object unwrap(Object value) {
        steps.accept(1);
        if (value instanceof Text text) {
            if (!text.value().isEmpty() && isOfNumbers(text.value().charAt(0))) {
                price(text.value());
            }
            return text.value();
        } else if (value instanceof Num num) {
            price(num.literal());
            return num.decimal();
        } else if (value instanceof Bool bool) {
            return bool.value();
        }
        return value instanceof Null ? null : value;
    }

    private static boolean isOfNumbers(char first) {
        return Character.isDigit(first) || first == '-' || first == '+' || first == '.';
    }

    private void price(String digits) {
        long hundreds = digits.length() / DIGITS_A_STEP;
        steps.accept(hundreds * hundreds);
    }

    /* Wraps a list or mapping of a filter. Otherwise json-path would evaluate texts in it that look like paths. */
    @Override
    @SuppressWarnings("unchecked")
    public <T> T map(Object source, Class<T> type, Configuration configuration) {
        if (source instanceof ListValue list) {
            steps.accept(list.size());
            return (T) list.items().stream().map(this::node).toList();
        } else if (source instanceof MapValue map) {
            steps.accept(map.size());
            Map<String, Object> nodes = new LinkedHashMap<>();
            map.forEach((key, item) -> nodes.put(key, node(item)));
            return (T) nodes;
        }
        throw new IllegalArgumentException("only lists and mappings can be mapped");
    }

    private Object node(Value value) {
        Object plain = unwrap(value);
        if (plain instanceof String text) {
            return ValueNode.createStringNode(text, false);
        } else if (plain instanceof Number number) {
            return ValueNode.createNumberNode(number.toString());
        } else if (plain instanceof Boolean bool) {
            return ValueNode.createBooleanNode(bool.toString());
        } else if (plain == null) {
            return ValueNode.createNullNode();
        }
        return ValueNode.createJsonNode(map(plain, Object.class, null));
    }

    @Override
    public <T> T map(Object source, TypeRef<T> type, Configuration configuration) {
        throw new UnsupportedOperationException("documents have no Java types");
    }

    @Override
    public Object parse(String json) {
        throw new UnsupportedOperationException("documents are trees already");
    }

    @Override
    public Object parse(InputStream json, String charset) {
        throw new UnsupportedOperationException("documents are trees already");
    }

    @Override
    public String toJson(Object value) {
        throw new UnsupportedOperationException("documents stay trees");
    }
}
