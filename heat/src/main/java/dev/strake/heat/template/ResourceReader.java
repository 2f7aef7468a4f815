package dev.strake.heat.template;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.function.Expression;
import dev.strake.heat.function.ExpressionReader;
import dev.strake.heat.function.HotVersion;
import dev.strake.heat.python.Python;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.Origin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The resources of a template.
 *
 * @param resources the valid resources by name, in their order
 * @param faults the faults of the other resources
 */
record ResourceReader(Map<String, Resource> resources, List<Fault> faults) {

    private static final Set<String> KEYS =
            Set.of("type", "properties", "metadata", "depends_on", "deletion_policy", "update_policy", "description");
    private static final Set<String> LATER_KEYS = Set.of("external_id", "condition");

    static ResourceReader read(MapValue section, HotVersion version, String file) {
        Map<String, Resource> resources = new LinkedHashMap<>();
        List<Fault> faults = new ArrayList<>();
        section.forEach((name, written) -> {
            try {
                resources.put(name, resource(name, written, version, file));
            } catch (FaultException e) {
                faults.add(e.fault().in(file, ".resources." + name));
            }
        });
        return new ResourceReader(resources, faults);
    }

    private static Resource resource(String name, Value value, HotVersion version, String file) {
        Value written = value instanceof Null ? MapValue.EMPTY : value;
        if (!(written instanceof MapValue map)) {
            throw wrong("\"resources\" must contain a map of resource maps. Found a [" + Python.className(written)
                    + "] instead");
        }
        for (String key : map.keys()) {
            if (!KEYS.contains(key) && !(LATER_KEYS.contains(key) && version.isFrom(HotVersion.NEWTON))) {
                throw wrong("\"" + key + "\" is not a valid keyword inside a resource definition");
            }
        }
        if (!map.has("type")) {
            throw wrong("Each resource must contain a type key.");
        }
        if (!(map.get("type") instanceof Text type)) {
            throw wrong("Resource " + name + " type type must be string");
        }
        String path = "resources." + name + ".";
        ExpressionReader reader = new ExpressionReader(version);
        Map<String, Expression> properties = new LinkedHashMap<>();
        List<Expression> rest = new ArrayList<>();
        if (map.has("properties")) {
            MapValue section = map(map.get("properties"), name, "properties");
            Expression all = reader.read(section, path + "properties");
            if (all instanceof Expression.Constant || all instanceof Expression.Entries) {
                for (int i = 0; i < section.size(); i++) {
                    String property = section.keyAt(i);
                    properties.put(
                            property,
                            all instanceof Expression.Entries entries
                                    ? entries.values().get(i)
                                    : new Expression.Constant(section.valueAt(i)));
                }
            } else {
                rest.add(all); // a call yields all properties, so none of them is known
            }
        }
        if (map.has("metadata")) {
            rest.add(reader.read(map(map.get("metadata"), name, "metadata"), path + "metadata"));
        }
        if (map.has("external_id")) {
            rest.add(text(reader.read(map.get("external_id"), path + "external_id"), name, "external_id"));
        }
        if (map.has("description") && !(map.get("description") instanceof Text)) {
            throw wrong("Resource " + name + " description type must be string");
        }
        Resource.Clauses clauses = new Resource.Clauses(
                map.has("depends_on") ? dependsOn(map.get("depends_on"), name) : List.of(),
                map.has("deletion_policy")
                        ? text(
                                reader.read(map.get("deletion_policy"), path + "deletion_policy"),
                                name,
                                "deletion_policy")
                        : null,
                version.isFrom(HotVersion.NEWTON),
                map.has("update_policy")
                        ? reader.read(map(map.get("update_policy"), name, "update_policy"), path + "update_policy")
                        : null,
                map.has("condition")
                        ? condition(ExpressionReader.condition(version, map.get("condition"), path + "condition"), name)
                        : null,
                rest);
        Origin origin = new Origin(file, ".resources." + name);
        return new Resource(name, type.value(), properties, Set.of(), clauses, origin, "properties");
    }

    /* Accepts a text, or a call that may yield one. */
    private static Expression text(Expression expression, String name, String key) {
        boolean wrong = expression instanceof Expression.Constant constant
                ? !(constant.value() instanceof Text)
                : expression instanceof Expression.Items || expression instanceof Expression.Entries;
        if (wrong) {
            throw wrong("Resource " + name + " " + key + " type must be string");
        }
        return expression;
    }

    private static Expression condition(Expression expression, String name) {
        boolean wrong = expression instanceof Expression.Constant constant
                ? !(constant.value() instanceof Text || constant.value() instanceof Bool)
                : expression instanceof Expression.Items || expression instanceof Expression.Entries;
        if (wrong) {
            throw wrong("Resource " + name + " condition type must be string_or_boolean");
        }
        return expression;
    }

    private static MapValue map(Value value, String name, String key) {
        if (value instanceof MapValue map) {
            return map;
        }
        throw wrong("Resource " + name + " " + key + " type must be object");
    }

    private static List<String> dependsOn(Value value, String name) {
        if (value instanceof Text one) {
            return List.of(one.value());
        }
        if (!(value instanceof ListValue list)) {
            throw wrong("Resource " + name + " depends_on must be a list of strings");
        }
        List<String> names = new ArrayList<>();
        for (Value item : list.items()) {
            if (!(item instanceof Text text)) {
                throw wrong("Resource " + name + " depends_on must be a list of strings");
            }
            names.add(text.value());
        }
        return names;
    }

    private static FaultException wrong(String message) {
        return new FaultException(Fault.of(FaultCode.RESOURCE_DEFINITION, message));
    }
}
