package dev.strake.heat.parameter;

import dev.strake.engine.pattern.TextPattern;
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
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads the constraints of a parameter. */
final class ConstraintReader {

    private static final Set<String> KEYS = Set.of(
            "description", "range", "length", "allowed_values", "allowed_pattern", "custom_constraint", "modulo");

    private ConstraintReader() {}

    static List<Constraint> read(String parameter, Value written, boolean knowsModulo) {
        if (written == null || written instanceof Null) {
            return List.of();
        }
        if (!(written instanceof ListValue list)) {
            throw wrong("Invalid parameter constraints for parameter " + parameter + ", expected a list");
        }
        List<Constraint> constraints = new ArrayList<>();
        for (Value item : list.items()) {
            constraints.add(constraint(item, knowsModulo));
        }
        return constraints;
    }

    private static Constraint constraint(Value item, boolean knowsModulo) {
        MapValue map = checked(item, KEYS, "parameter constraints");
        Value says = map.get("description");
        String description = says == null || says instanceof Null ? null : PythonText.str(says);
        if (map.has("modulo") && knowsModulo) {
            MapValue bounds = checked(map.get("modulo"), Set.of("step", "offset"), "modulo constraint");
            return modulo(bound(bounds, "step"), bound(bounds, "offset"), description);
        }
        if (map.has("range")) {
            MapValue bounds = checked(map.get("range"), Set.of("min", "max"), "range constraint");
            return new Constraint.Range(bound(bounds, "min"), bound(bounds, "max", bounds), description);
        }
        if (map.has("length")) {
            MapValue bounds = checked(map.get("length"), Set.of("min", "max"), "length constraint");
            Num min = bound(bounds, "min");
            Num max = bound(bounds, "max", bounds);
            if ((min != null && !min.isInteger()) || (max != null && !max.isInteger())) {
                throw wrong("min/max length must be integral");
            }
            return new Constraint.Length(min, max, description);
        }
        if (map.has("allowed_values")) {
            if (!(map.get("allowed_values") instanceof ListValue allowed)) {
                throw wrong("AllowedValues must be a list");
            }
            return new Constraint.AllowedValues(allowed, description);
        }
        if (map.has("allowed_pattern")) {
            if (!(map.get("allowed_pattern") instanceof Text pattern)) {
                throw wrong("AllowedPattern must be a string");
            }
            return new Constraint.AllowedPattern(pattern.value(), compiled(pattern.value()), description);
        }
        if (map.has("custom_constraint")) {
            return new Constraint.Custom(PythonText.str(map.get("custom_constraint")), description);
        }
        throw wrong("No constraint expressed");
    }

    /* Anchors the pattern, since Heat matches from the start of the text. */
    private static TextPattern compiled(String pattern) {
        try {
            return TextPattern.of("^(?:" + pattern + ")");
        } catch (IllegalArgumentException e) {
            if (pattern.contains("(?") || pattern.matches("(?s).*\\\\[1-9].*")) {
                return null; // valid only for backtracking engines: not checked
            }
            throw wrong("the allowed_pattern is not valid: " + e.getMessage());
        }
    }

    private static Num bound(MapValue bounds, String key, MapValue all) {
        Num bound = bound(bounds, key);
        if (bound == null && bound(all, "min") == null) {
            throw wrong("A range constraint must have a min value and/or a max value specified.");
        }
        return bound;
    }

    private static Num bound(MapValue bounds, String key) {
        Value value = bounds.get(key);
        if (value == null || value instanceof Null) {
            return null;
        }
        if (value instanceof Num num) {
            return num;
        }
        if (value instanceof Text text) {
            try {
                return Python.number(text.value());
            } catch (IllegalArgumentException e) {
                throw wrong(e.getMessage());
            }
        }
        throw wrong("min/max must be numeric");
    }

    private static Constraint modulo(Num step, Num offset, String description) {
        if (step == null || offset == null) {
            throw wrong("A modulo constraint must have a step value and an offset value specified.");
        }
        BigDecimal by = Python.decimal(step);
        BigDecimal from = Python.decimal(offset);
        if (by == null || from == null || !isWhole(by) || !isWhole(from)) {
            throw wrong("step/offset must be integer");
        }
        if (by.signum() == 0) {
            throw wrong("step cannot be 0.");
        }
        if (from.abs().compareTo(by.abs()) >= 0) {
            throw wrong("offset must be smaller (by absolute value) than step.");
        }
        if (by.signum() * from.signum() < 0) {
            throw wrong("step and offset must be both positive or both negative.");
        }
        return new Constraint.Modulo(step, offset, description);
    }

    private static boolean isWhole(BigDecimal number) {
        return number.stripTrailingZeros().scale() <= 0;
    }

    static MapValue checked(Value value, Set<String> keys, String entity) {
        if (!(value instanceof MapValue map)) {
            throw wrong("Invalid " + entity + ", expected a mapping");
        }
        for (String key : map.keys()) {
            if (!keys.contains(key)) {
                throw wrong("Invalid key '" + key + "' for " + entity);
            }
        }
        return map;
    }

    static FaultException wrong(String message) {
        return new FaultException(Fault.raised(FaultCode.PARAMETER_SCHEMA, "InvalidSchemaError", message));
    }
}
