package dev.strake.heat;

import dev.strake.engine.problem.Location;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.parameter.Constraint;
import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.python.Python;
import dev.strake.heat.source.Fault;
import dev.strake.heat.template.StackNode;
import dev.strake.heat.template.TemplateAnswer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Writes an answer in Heat's form, and additions that Heat does not have.
 *
 * <p>Heat shows the values of hidden parameters. By default they are masked here, and so is every value or default that
 * comes from a hidden parameter.
 *
 * @param showHidden whether hidden values are shown, as in Heat
 */
public record AnswerJson(TemplateAnswer answer, boolean showHidden) {

    /** Returns the tree of parameters, without the environment; null if there is none. */
    public Value schema() {
        return answer.root() == null ? Null.NULL : node(answer.root());
    }

    /** Returns a stack without its nested stacks, with hidden values masked. */
    static MapValue alone(StackNode node) {
        return new AnswerJson(null, false).members(node).build();
    }

    private MapValue node(StackNode node) {
        MapValue.Builder map = members(node);
        if (!node.children().isEmpty()) {
            MapValue.Builder children = MapValue.builder();
            node.children().forEach((name, child) -> children.put(name, node(child)));
            map.put("NestedParameters", children.build());
        }
        return map.build();
    }

    private MapValue.Builder members(StackNode node) {
        MapValue.Builder map = MapValue.builder();
        if (node.type() != null) {
            map.put("Type", node.type());
        }
        map.put("Description", node.description());
        MapValue.Builder parameters = MapValue.builder();
        node.parameters().forEach(each -> parameters.put(each.schema().name(), parameter(each)));
        map.put("Parameters", parameters.build());
        if (node.groups() != null && Python.isTrue(node.groups())) {
            map.put("ParameterGroups", node.groups());
        }
        return map;
    }

    public MapValue parameter(StackNode.Parameter parameter) {
        ParameterSchema schema = parameter.schema();
        ParameterSchema.Notes notes = schema.notes();
        MapValue.Builder map = MapValue.builder()
                .put("Type", schema.type().answered())
                .put("Description", notes.description() == null ? new Text("") : notes.description())
                .put("NoEcho", schema.hidden() ? "true" : "false")
                .put("Label", notes.label() == null ? new Text(schema.name()) : notes.label());
        if (parameter.defaultValue() != null) {
            map.put("Default", shown(parameter.defaultValue(), schema.hidden()));
        }
        if (parameter.supplied() != null && Python.isTrue(parameter.supplied().value())) {
            map.put(
                    "Value",
                    shown(
                            parameter.supplied().value(),
                            schema.hidden() || parameter.supplied().secret()));
        }
        if (notes.tags() != null && notes.tags().size() > 0) {
            map.put("Tags", notes.tags());
        }
        constraints(schema, map);
        return map.build();
    }

    private Value shown(Value value, boolean secret) {
        return secret && !showHidden ? Redaction.MASK : value;
    }

    private static void constraints(ParameterSchema schema, MapValue.Builder map) {
        List<String> descriptions = new ArrayList<>();
        for (Constraint constraint : schema.constraints()) {
            if (constraint instanceof Constraint.Length length) {
                bound(map, "MinLength", length.min());
                bound(map, "MaxLength", length.max());
            } else if (constraint instanceof Constraint.Range range) {
                bound(map, "MinValue", range.min());
                bound(map, "MaxValue", range.max());
            } else if (constraint instanceof Constraint.Modulo modulo) {
                bound(map, "Step", modulo.step());
                bound(map, "Offset", modulo.offset());
            } else if (constraint instanceof Constraint.AllowedValues values) {
                map.put("AllowedValues", values.allowed());
            } else if (constraint instanceof Constraint.AllowedPattern pattern) {
                map.put("AllowedPattern", pattern.written());
            } else if (constraint instanceof Constraint.Custom custom) {
                map.put("CustomConstraint", custom.constraint());
            }
            if (constraint.description() != null && !constraint.description().isEmpty()) {
                descriptions.add(constraint.description());
            }
        }
        if (!descriptions.isEmpty()) {
            map.put("ConstraintDescription", String.join(" ", descriptions));
        }
    }

    private static void bound(MapValue.Builder map, String key, Num bound) {
        if (bound != null) {
            map.put(key, bound);
        }
    }

    /** Returns the merged environment; null if it cannot be read. */
    public Value environment() {
        if (answer.environment() == null) {
            return Null.NULL;
        }
        MapValue environment =
                answer.environment().toValue(answer.environment().registry().toValue(answer.typesMet()));
        if (showHidden) {
            return environment;
        }
        Set<String> hidden = new HashSet<>();
        if (answer.root() != null) {
            hidden(answer.root(), hidden);
        }
        for (String section : List.of("parameters", "parameter_defaults")) {
            MapValue values = (MapValue) environment.get(section);
            environment = environment.with(
                    section, values.withEach((name, value) -> hidden.contains(name) ? Redaction.MASK : value));
        }
        return environment;
    }

    private static void hidden(StackNode node, Set<String> names) {
        node.parameters().stream()
                .filter(each -> each.schema().hidden())
                .forEach(each -> names.add(each.schema().name()));
        node.children().values().forEach(child -> hidden(child, names));
    }

    /** Returns the paths of parameters without default and value: the names of resources, then of the parameter. */
    public ListValue needsInput() {
        return paths(each -> each.defaultValue() == null && each.supplied() == null);
    }

    /** Returns the paths of parameters whose supplied value is empty, zero or false, which Heat does not show. */
    public ListValue suppliedEmpty() {
        return paths(each ->
                each.supplied() != null && !Python.isTrue(each.supplied().value()));
    }

    private ListValue paths(Predicate<StackNode.Parameter> wanted) {
        List<Value> paths = new ArrayList<>();
        if (answer.root() != null) {
            collect(answer.root(), List.of(), wanted, paths);
        }
        return ListValue.of(paths);
    }

    private static void collect(
            StackNode node, List<Value> above, Predicate<StackNode.Parameter> wanted, List<Value> paths) {
        for (StackNode.Parameter each : node.parameters()) {
            if (wanted.test(each)) {
                paths.add(ListValue.of(plus(above, each.schema().name())));
            }
        }
        node.children().forEach((name, child) -> collect(child, plus(above, name), wanted, paths));
    }

    private static List<Value> plus(List<Value> above, String name) {
        List<Value> longer = new ArrayList<>(above);
        longer.add(new Text(name));
        return longer;
    }

    /** Returns all faults. */
    public ListValue errors(Function<Fault, Location> locate) {
        return ListValue.of(answer.faults().stream()
                .map(fault -> {
                    Location location = locate.apply(fault);
                    return error(fault).with("line", location == null ? Null.NULL : Num.of(location.line()));
                })
                .toList());
    }

    /** Converts a fault without its line or place: callers add these in different forms. */
    static MapValue error(Fault fault) {
        return MapValue.builder()
                .put("code", fault.code().code())
                .put("kind", fault.kind())
                .put("message", fault.text())
                .put("path", fault.pathText())
                .put("file", fault.file())
                .build();
    }
}
