package dev.strake.heat.template;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.function.Calls;
import dev.strake.heat.function.Expression;
import dev.strake.heat.function.UnresolvedException;
import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.python.Python;
import dev.strake.heat.python.PythonText;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks a single resource as Heat does: policies, names of properties, calls. */
record ResourceCheck(Stack stack, Faults faults, Map<String, Implementation> implementations) {

    private static final Set<String> POLICIES = Set.of("Delete", "Retain", "Snapshot");

    /** Runs all checks in Heat's order. */
    void check(Resource resource, Implementation implementation, Map<String, ParameterSchema> provider) {
        deletionPolicy(resource, implementation);
        if (resource.clauses().updatePolicy() != null) {
            updatePolicy(resource, implementation);
        }
        ResourceType builtIn = implementation.builtIn();
        if (builtIn == null ? provider != null : !builtIn.takesAnything()) {
            Set<String> known =
                    builtIn == null ? provider.keySet() : builtIn.properties().keySet();
            List<String> path = List.of("resources", resource.name(), "properties");
            for (String property : resource.properties().keySet()) {
                if (!known.contains(property)) {
                    faults.report(resource, property, unknown(path, property));
                }
            }
        }
        List<Expression> all = new ArrayList<>(resource.properties().values());
        all.addAll(resource.clauses().rest());
        all.forEach(this::calls);
    }

    private static Fault unknown(List<String> path, String property) {
        return Fault.ofProperty(FaultCode.UNKNOWN_PROPERTY, path, "Unknown Property " + property);
    }

    /** Checks that a deletion policy is valid, as Heat does when it reads a template. Returns null if it is. */
    static Fault invalidPolicy(Resource resource, Stack stack) {
        Supplied evaluated;
        try {
            evaluated = resource.clauses().deletionPolicy() == null
                    ? null
                    : stack.evaluate(resource.clauses().deletionPolicy(), false);
        } catch (UnresolvedException e) {
            return e.toFault(FaultCode.DELETION_POLICY, List.of());
        }
        if (evaluated == null || evaluated.value() == null || evaluated.value() instanceof Null) {
            return null;
        }
        String text = PythonText.str(evaluated.value());
        String known = text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return POLICIES.contains(known)
                        && (known.equals(text) || resource.clauses().lowerCasePolicies())
                ? null
                : Fault.of(FaultCode.DELETION_POLICY, "Invalid deletion policy \"" + evaluated.shown() + "\"");
    }

    private static Value policy(Resource resource, Stack stack) {
        if (resource.clauses().deletionPolicy() == null) {
            return null;
        }
        try {
            return stack.evaluate(resource.clauses().deletionPolicy(), false).value();
        } catch (UnresolvedException e) {
            return null;
        }
    }

    private void deletionPolicy(Resource resource, Implementation implementation) {
        Value value = policy(resource, stack);
        ResourceType builtIn = implementation.builtIn();
        if (value instanceof Text text
                && text.value().equalsIgnoreCase("snapshot")
                && (builtIn == null || !builtIn.canSnapshot())) {
            faults.report(
                    resource,
                    "",
                    Fault.at(
                            FaultCode.DELETION_POLICY,
                            List.of("resources", resource.name(), "deletion_policy"),
                            "\"Snapshot\" deletion policy not supported"));
        }
    }

    private void updatePolicy(Resource resource, Implementation implementation) {
        List<String> path = List.of("resources", resource.name(), "update_policy");
        Supplied policy;
        try {
            policy = stack.evaluate(resource.clauses().updatePolicy(), false);
        } catch (UnresolvedException e) {
            return; // the value may be supplied later
        }
        ResourceType builtIn = implementation.builtIn();
        MapValue known = builtIn != null && builtIn.updatePolicy() != null ? builtIn.updatePolicy() : MapValue.EMPTY;
        if ((builtIn != null && builtIn.takesAnything()) || !(policy.value() instanceof MapValue map)) {
            return;
        }
        map.forEach((key, value) -> {
            if (!(known.get(key) instanceof MapValue schema)) {
                faults.report(resource, "", unknown(path, key));
            } else if (value instanceof MapValue fields) {
                fields.forEach((name, field) -> field(
                        resource, path, key, name, new Supplied(field, policy.secret(), policy.origin()), schema));
            }
        });
    }

    private void field(
            Resource resource, List<String> above, String key, String name, Supplied value, MapValue schema) {
        List<String> path = new ArrayList<>(above);
        path.add(key);
        MapValue fields = schema.get("fields") instanceof MapValue map ? map : MapValue.EMPTY;
        if (!(fields.get(name) instanceof MapValue field)) {
            faults.report(resource, "", unknown(path, name));
            return;
        }
        String complaint = complaint(value.value(), field);
        if (complaint != null) {
            path.add(name);
            String shown = value.secret() ? UnresolvedException.HIDDEN : complaint;
            faults.report(resource, "", Fault.ofProperty(FaultCode.PROPERTY_VALUE, path, shown));
        }
    }

    private static String complaint(Value value, MapValue field) {
        boolean number =
                !(field.get("type") instanceof Text type && type.value().equals("String"));
        if (!number || value instanceof Null) {
            return null;
        }
        BigDecimal worth;
        try {
            Num num = value instanceof Num already ? already : Python.number(PythonText.str(value));
            worth = Python.decimal(num);
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
        if (worth == null || !(field.get("constraints") instanceof ListValue constraints)) {
            return null;
        }
        for (Value constraint : constraints.items()) {
            if (constraint instanceof MapValue map && map.get("range") instanceof MapValue range) {
                Num min = range.get("min") instanceof Num least ? least : null;
                Num max = range.get("max") instanceof Num most ? most : null;
                if ((min != null && worth.compareTo(min.decimal()) < 0)
                        || (max != null && worth.compareTo(max.decimal()) > 0)) {
                    return PythonText.str(value) + " is out of range (min: "
                            + (min == null ? "None" : min.literal()) + ", max: "
                            + (max == null ? "None" : max.literal()) + ")";
                }
            }
        }
        return null;
    }

    /** Checks the calls that evaluating an expression would make. */
    void calls(Expression expression) {
        for (Expression.Call call : Calls.in(expression, stack)) {
            String late = call.function().lateComplaint(call.name(), call.argument());
            if (late != null) {
                FaultCode code = late.contains("not supported in this version")
                        ? FaultCode.FUNCTION_REMOVED
                        : FaultCode.FUNCTION_ARGUMENTS;
                faults.report(Fault.at(code, List.of(call.path()), late).in(stack.file(), "." + call.path()));
            }
            if (call.name().equals("get_attr")) {
                attribute(call);
            }
        }
    }

    private void attribute(Expression.Call call) {
        List<String> words = Calls.words(call.argument());
        if (words.size() < 2
                || words.get(0) == null
                || words.get(1) == null
                || words.get(1).isEmpty()) {
            return;
        }
        Implementation implementation = implementations.get(words.get(0));
        ResourceType builtIn = implementation == null ? null : implementation.builtIn();
        if (builtIn != null && !builtIn.anyAttribute() && !builtIn.attributes().contains(words.get(1))) {
            faults.report(Fault.at(
                            FaultCode.BAD_ATTRIBUTE,
                            List.of(call.path()),
                            "The Referenced Attribute (" + words.get(0) + " " + words.get(1) + ") is incorrect.")
                    .in(stack.file(), "." + call.path()));
        }
    }
}
