package dev.strake.heat.parameter;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import dev.strake.heat.python.PythonText;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Converts written values to values inside a template, and values of properties to values for nested templates. */
public final class ParameterValues {

    private ParameterValues() {}

    /**
     * Returns the result of {@code get_param} for a written value or default.
     *
     * @throws IllegalArgumentException if the value does not fit the type
     */
    public static Value inTemplate(ParameterType type, Value written) {
        return switch (type) {
            case STRING -> written instanceof Text ? written : new Text(PythonText.str(written));
            case NUMBER -> number(written);
            case BOOLEAN -> bool(written);
            case COMMA_DELIMITED_LIST -> list(written);
            case JSON -> json(written);
        };
    }

    /**
     * Returns the value that a template resource passes to a parameter of its template.
     *
     * @param resolved the value of the property
     * @throws IllegalArgumentException if the value cannot be converted; Heat passes the zero of the type instead
     * @throws FaultException if Heat fails with an exception
     */
    public static Value supplied(ParameterType type, Value resolved) {
        if (resolved instanceof Null) {
            return zero(type);
        }
        return switch (type) {
            case STRING -> text(resolved);
            case NUMBER -> number(resolved);
            case BOOLEAN -> propertyBool(resolved);
            case COMMA_DELIMITED_LIST -> joined(resolved);
            case JSON -> map(resolved);
        };
    }

    /** Returns the value that is passed if there is none, or none that can be converted. */
    public static Value zero(ParameterType type) {
        return switch (type) {
            case STRING, COMMA_DELIMITED_LIST -> new Text("");
            case NUMBER -> Num.of(0);
            case BOOLEAN -> Bool.FALSE;
            case JSON -> MapValue.EMPTY;
        };
    }

    private static Value number(Value value) {
        if (value instanceof Num || value instanceof Bool) {
            return value;
        }
        if (value instanceof Text text) {
            return Python.number(text.value());
        }
        throw new IllegalArgumentException(
                "float() argument must be a string or a real number, not '" + Python.type(value) + "'");
    }

    private static Value bool(Value value) {
        String text = PythonText.str(value).strip().toLowerCase(Locale.ROOT);
        return switch (text) {
            case "t", "true", "on", "y", "yes", "1" -> Bool.TRUE;
            case "f", "false", "off", "n", "no", "0" -> Bool.FALSE;
            default ->
                throw new IllegalArgumentException(
                        "Unrecognized value '" + PythonText.str(value)
                                + "', acceptable values are: '0', '1', 'f', 'false', 'n', 'no', 'off', 'on', 't', 'true', 'y', 'yes'");
        };
    }

    private static Value propertyBool(Value value) {
        if (value instanceof Bool) {
            return value;
        }
        if (value instanceof Text text) {
            String lower = text.value().toLowerCase(Locale.ROOT);
            if (lower.equals("true") || lower.equals("false")) {
                return Bool.of(lower.equals("true"));
            }
        }
        throw new IllegalArgumentException(PythonText.repr(value) + " is not a valid boolean");
    }

    private static Value list(Value value) {
        if (value instanceof ListValue list) {
            return ListValue.of(list.items().stream()
                    .map(item -> new Text(item instanceof Null ? "" : PythonText.str(item)))
                    .toList());
        }
        if (!(value instanceof Text text)) {
            throw new IllegalArgumentException("Value must be a comma-delimited list string: '" + Python.type(value)
                    + "' object has no attribute 'split'");
        }
        return split(text.value());
    }

    private static ListValue split(String text) {
        if (text.isEmpty()) {
            return ListValue.EMPTY;
        }
        List<Value> items = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            items.add(new Text(item.strip()));
        }
        return ListValue.of(items);
    }

    private static Value json(Value value) {
        if (value instanceof Text text) {
            if (text.value().isEmpty()) {
                return MapValue.EMPTY;
            }
            try {
                return Python.json(text.value());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("Value must be valid JSON: " + e.getMessage(), e);
            }
        }
        return value;
    }

    private static Value text(Value value) {
        if (value instanceof Text) {
            return value;
        }
        if (value instanceof Bool || (value instanceof Num num && num.isInteger())) {
            return new Text(PythonText.str(value));
        }
        throw new IllegalArgumentException("Value must be a string; got " + PythonText.repr(value));
    }

    private static Value map(Value value) {
        if (value instanceof ListValue) {
            return new Text(PythonText.jsonInOrder(value));
        }
        if (value instanceof MapValue || value instanceof Text) {
            return value;
        }
        throw new IllegalArgumentException(PythonText.repr(value) + " is not a map");
    }

    private static Value joined(Value value) {
        ListValue list;
        if (value instanceof ListValue items) {
            list = items;
        } else if (value instanceof Text text) {
            list = split(text.value());
        } else {
            throw new IllegalArgumentException(PythonText.repr(value) + " is not a list");
        }
        List<String> texts = new ArrayList<>();
        if (list.size() > 0 && list.get(0) instanceof MapValue) {
            for (int i = 0; i < list.size(); i++) {
                if (!(list.get(i) instanceof MapValue map)) {
                    throw new IllegalArgumentException(
                            "'" + Python.type(list.get(i)) + "' object has no attribute 'items'");
                }
                int number = i;
                map.forEach((key, item) -> texts.add(".member." + number + "." + key + "=" + PythonText.str(item)));
            }
        } else {
            for (Value item : list.items()) {
                if (!(item instanceof Null) && !(item instanceof Text)) {
                    throw new FaultException(Fault.raised(
                            FaultCode.PROPERTY_VALUE,
                            "TypeError",
                            "item " + texts.size() + " of the list is of type " + Python.type(item)
                                    + ", but a comma_delimited_list needs text. Quote the item."));
                }
                texts.add(item instanceof Text text ? text.value() : "");
            }
        }
        return new Text(String.join(",", texts));
    }
}
