package dev.strake.heat.template;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.function.Expression;
import dev.strake.heat.function.UnresolvedException;
import dev.strake.heat.python.Python;
import dev.strake.heat.python.PythonText;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.Origin;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Creates the members of groups: a stack of resources that belong to no template. */
final class Groups {

    /** The types of groups. */
    static final Set<String> TYPES =
            Set.of("OS::Heat::ResourceGroup", "OS::Heat::ResourceChain", "OS::Heat::AutoScalingGroup");

    private static final int MOST_MEMBERS = 10_000;

    /** The maximum size of a member's properties: nested groups may expand texts again and again. */
    private static final long MOST_BYTES = 8L << 20;

    private Groups() {}

    /**
     * The members of a group.
     *
     * @param resources the members; null if they are unknown
     * @param empty whether the group will have no members, although one is shown
     * @param faults the faults of the group itself
     * @param insideStack whether Heat reports these faults inside the stack of the group
     */
    record Members(Map<String, Resource> resources, boolean empty, List<Fault> faults, boolean insideStack) {}

    static Members members(Stack stack, Resource resource, String type, boolean counted) {
        try {
            return switch (type) {
                case "OS::Heat::ResourceChain" -> chain(stack, resource);
                case "OS::Heat::AutoScalingGroup" -> scaling(stack, resource);
                default -> group(stack, resource, counted);
            };
        } catch (FaultException e) {
            Origin origin = resource.origin();
            Fault fault = e.fault().in(origin);
            return new Members(null, false, List.of(fault), type.equals("OS::Heat::AutoScalingGroup"));
        }
    }

    private static Members group(Stack stack, Resource resource, boolean counted) {
        Definition definition = definition(stack, resource, "resource_def", true);
        String index = "%index%";
        if (resource.properties().containsKey("index_var")
                && evaluate(stack, resource.properties().get("index_var"), true).value() instanceof Text text
                && !text.value().isEmpty()) {
            index = text.value();
        }
        String name = firstName(removed(stack, resource));
        MapValue.Builder replaced = MapValue.builder();
        String variable = index;
        definition.properties.forEach((key, value) -> {
            if (!(value instanceof Null)) {
                replaced.put(key, indexed(value, variable, name, stack));
            }
        });
        MapValue properties = replaced.build();
        if (properties.weight() > MOST_BYTES) {
            throw tooLarge();
        }
        List<Fault> faults = new ArrayList<>();
        boolean empty = false;
        if (counted && resource.properties().containsKey("count")) {
            try {
                empty = count(value(stack, resource, "count")).signum() <= 0;
            } catch (FaultException e) {
                Origin origin = resource.origin("count");
                faults.add(e.fault().in(origin));
            }
        }
        Members members = one(name, definition, properties, resource, empty);
        return new Members(members.resources, empty, faults, false);
    }

    private static BigDecimal count(Supplied supplied) {
        Value value = supplied.value();
        try {
            Num num = value instanceof Num already ? already : Python.number(PythonText.str(value));
            BigDecimal count = Python.decimal(num);
            if (count != null) {
                return count;
            }
        } catch (IllegalArgumentException e) {
            throw wrong(FaultCode.PROPERTY_VALUE, supplied.secret() ? UnresolvedException.HIDDEN : e.getMessage());
        }
        throw wrong(FaultCode.PROPERTY_VALUE, "the count has too many digits");
    }

    private static Set<String> removed(Stack stack, Resource resource) {
        Set<String> removed = new HashSet<>();
        if (resource.properties().containsKey("removal_policies")) {
            Value policies = value(stack, resource, "removal_policies").value();
            for (Value policy : policies instanceof ListValue list ? list.items() : List.<Value>of()) {
                if (policy instanceof MapValue map && map.get("resource_list") instanceof ListValue names) {
                    names.items().forEach(item -> removed.add(PythonText.str(item)));
                }
            }
        }
        return removed;
    }

    private static String firstName(Set<String> removed) {
        int number = 0;
        while (removed.contains(String.valueOf(number))) {
            number++;
        }
        return String.valueOf(number);
    }

    private static Value indexed(Value value, String variable, String name, Stack stack) {
        if (value instanceof Text text) {
            stack.budget().spendText(text.value().length());
            if (!text.value().contains(variable)) {
                return text;
            }
            if ((long) text.value().length() / variable.length() * name.length() > MOST_BYTES) {
                throw tooLarge();
            }
            return new Text(text.value().replace(variable, name));
        }
        if (value instanceof ListValue list) {
            return list.withEach((i, item) -> indexed(item, variable, name, stack));
        }
        return value instanceof MapValue map
                ? map.withEach((key, item) -> indexed(item, variable, name, stack))
                : value;
    }

    private static Members scaling(Stack stack, Resource resource) {
        Definition definition = definition(stack, resource, "resource", false);
        return one("*", definition, definition.properties, resource, false);
    }

    private static Members one(String name, Definition definition, MapValue properties, Resource group, boolean empty) {
        Map<String, Resource> members = new LinkedHashMap<>();
        String written = definition.property + ".properties";
        members.put(name, member(name, definition.type, constants(properties), definition.secret, group, written));
        return new Members(members, empty, List.of(), true);
    }

    private static Map<String, Expression> constants(MapValue properties) {
        Map<String, Expression> expressions = new LinkedHashMap<>();
        properties.forEach((key, value) -> expressions.put(key, new Expression.Constant(value)));
        return expressions;
    }

    /**
     * A member.
     *
     * @param properties the properties, shared by all members of a chain
     * @param written the place of the properties, below those of the group
     */
    private static Resource member(
            String name,
            String type,
            Map<String, Expression> properties,
            boolean secret,
            Resource group,
            String written) {
        return new Resource(
                name,
                type,
                properties,
                secret ? properties.keySet() : Set.of(),
                Resource.Clauses.NONE,
                group.origin(),
                "properties." + written);
    }

    private record Definition(String property, String type, MapValue properties, boolean secret) {}

    private static Definition definition(Stack stack, Resource resource, String property, boolean tolerant) {
        Expression expression = resource.properties().get(property);
        if (expression == null) {
            throw required(property);
        }
        Supplied evaluated = evaluate(stack, expression, tolerant);
        if (!(evaluated.value() instanceof MapValue map) || !(map.get("type") instanceof Text type)) {
            throw wrong(FaultCode.REQUIRED_PROPERTY, "Property " + property + "." + "type not assigned");
        }
        MapValue properties = map.get("properties") instanceof MapValue own ? own : MapValue.EMPTY;
        return new Definition(property, type.value(), properties, evaluated.secret());
    }

    private static FaultException required(String property) {
        return new FaultException(
                Fault.raised(FaultCode.REQUIRED_PROPERTY, "ValueError", "Property " + property + " not assigned"));
    }

    private static Members chain(Stack stack, Resource resource) {
        if (!resource.properties().containsKey("resources")) {
            throw required("resources");
        }
        Supplied listed = value(stack, resource, "resources");
        Value types = listed.value();
        if (!(types instanceof ListValue || types instanceof Null)) {
            throw wrong(
                    FaultCode.PROPERTY_VALUE,
                    (listed.secret() ? listed.shown() : PythonText.repr(types)) + " is not a list");
        }
        MapValue properties = MapValue.EMPTY;
        boolean secret = false;
        if (resource.properties().containsKey("resource_properties")) {
            Supplied evaluated = evaluate(stack, resource.properties().get("resource_properties"), false);
            secret = evaluated.secret();
            if (evaluated.value() instanceof MapValue map) {
                properties = map;
            } else if (evaluated.value() != null && !(evaluated.value() instanceof Null)) {
                throw wrong(FaultCode.PROPERTY_VALUE, "\"resource_properties\" is not a map");
            }
        }
        Map<String, Expression> shared = constants(properties);
        Map<String, Resource> members = new LinkedHashMap<>();
        List<Value> items = types instanceof ListValue list ? list.items() : List.of();
        if (items.size() > MOST_MEMBERS) {
            throw wrong(FaultCode.LIMIT, "a chain has more than " + MOST_MEMBERS + " members");
        }
        for (Value item : items) {
            String name = String.valueOf(members.size());
            String type = PythonText.str(item);
            members.put(name, member(name, type, shared, secret, resource, "resource_properties"));
        }
        return new Members(members, false, List.of(), true);
    }

    private static Supplied value(Stack stack, Resource resource, String property) {
        Supplied evaluated = evaluate(stack, resource.properties().get(property), false);
        return evaluated.value() == null ? new Supplied(Null.NULL, evaluated.secret(), null) : evaluated;
    }

    private static Supplied evaluate(Stack stack, Expression expression, boolean tolerant) {
        try {
            return stack.evaluate(expression, tolerant);
        } catch (UnresolvedException e) {
            throw wrong(
                    e.unsetParameter() == null ? FaultCode.PROPERTY_VALUE : FaultCode.MISSING_PARAMETER,
                    e.getMessage());
        }
    }

    private static FaultException tooLarge() {
        return wrong(FaultCode.LIMIT, "the properties of a member take more than " + MOST_BYTES + " bytes");
    }

    private static FaultException wrong(FaultCode code, String message) {
        return new FaultException(Fault.raised(code, "ValueError", message));
    }
}
