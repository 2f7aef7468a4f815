package dev.strake.heat.template;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import dev.strake.heat.function.Calls;
import dev.strake.heat.function.Expression;
import dev.strake.heat.function.UnresolvedException;
import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.parameter.ParameterValues;
import dev.strake.heat.python.Python;
import dev.strake.heat.python.PythonText;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.Origin;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks the root stack for errors that fail a creation even if no value is missing: undeclared parameters, missing
 * files, missing required properties, and invalid values.
 */
record ValueCheck(Stack stack, Faults faults) {

    private static final Set<String> PSEUDO = Set.of("OS::stack_name", "OS::stack_id", "OS::project_id");

    /** Functions whose value is known only after creation. */
    private static final Set<String> LATER = Set.of("get_attr", "get_resource", "resource_facade");

    /**
     * Checks a resource. Values and files are checked only if creation would reach them: if all parameters have values,
     * and all required properties are set.
     *
     * @param provider the parameters of the resource's template; null if it has none
     */
    void check(Resource resource, Implementation implementation, Map<String, ParameterSchema> provider) {
        boolean isComplete = isComplete() && hasRequired(resource, implementation, provider);
        resource.properties().forEach((property, expression) -> {
            List<Expression.Call> calls = Calls.in(expression, stack);
            long undeclared = calls.stream().filter(this::isUndeclared).count();
            if (isComplete && undeclared == 0 && !isFileMissing(calls)) {
                value(resource, implementation, property, calls, provider == null ? null : provider.get(property));
            }
        });
        resource.clauses().rest().forEach(each -> Calls.in(each, stack).forEach(this::isUndeclared));
    }

    private boolean isComplete() {
        return stack.schemas().entrySet().stream()
                .allMatch(each -> each.getValue().defaultValue() != null
                        || stack.supplied().containsKey(each.getKey()));
    }

    private boolean hasRequired(
            Resource resource, Implementation implementation, Map<String, ParameterSchema> provider) {
        if (provider != null) {
            return provider.values().stream()
                    .allMatch(each -> !each.required()
                            || resource.properties().containsKey(each.name())
                            || stack.defaultOf(each.name()) != null);
        }
        ResourceType builtIn = implementation.builtIn();
        if (builtIn == null || builtIn.takesAnything()) {
            return true;
        }
        boolean isGroup = Groups.TYPES.contains(builtIn.name()); // the group's own stack reports missing properties
        for (String required : builtIn.required()) {
            if (!resource.properties().containsKey(required)) {
                if (!isGroup && isComplete()) {
                    faults.report(
                            resource,
                            "",
                            Fault.ofProperty(
                                    FaultCode.REQUIRED_PROPERTY,
                                    List.of("resources", resource.name(), "properties"),
                                    "Property " + required + " not assigned"));
                }
                return false;
            }
        }
        return true;
    }

    private static String word(Expression.Call call) {
        List<String> words = Calls.words(call.argument());
        return words.isEmpty() ? null : words.get(0);
    }

    private boolean isUndeclared(Expression.Call call) {
        String name = call.name().equals("get_param") ? word(call) : null;
        if (name == null || stack.schemas().containsKey(name) || PSEUDO.contains(name)) {
            return false;
        }
        Fault missing = UnresolvedException.unset(name).toFault(FaultCode.MISSING_PARAMETER, List.of());
        faults.report(missing.in(stack.file(), "." + call.path()));
        return true;
    }

    private boolean isFileMissing(List<Expression.Call> calls) {
        for (Expression.Call call : calls) {
            String name = call.name().equals("get_file") ? word(call) : null;
            if (name != null && stack.source(name) == null) {
                faults.report(Fault.ofProperty(
                                FaultCode.PROPERTY_VALUE,
                                List.of(call.path()),
                                "No content found in the \"files\" section for get_file path: " + name)
                        .in(stack.file(), "." + call.path()));
                return true;
            }
        }
        return false;
    }

    private void value(
            Resource resource,
            Implementation implementation,
            String property,
            List<Expression.Call> calls,
            ParameterSchema schema) {
        Supplied evaluated;
        try {
            evaluated = calls.stream().anyMatch(call -> LATER.contains(call.name()))
                    ? null
                    : stack.evaluate(resource.properties().get(property), false);
        } catch (UnresolvedException | FaultException e) {
            return; // the value may be supplied later, or the nested stack reports it
        }
        if (evaluated == null || evaluated.value() == null || evaluated.value() instanceof Null) {
            return;
        }
        ResourceType builtIn = implementation.builtIn();
        String type = builtIn == null ? null : builtIn.properties().get(property);
        String complaint = schema != null ? complaint(schema, evaluated) : complaint(type, evaluated.value());
        if (complaint != null) {
            faults.report(
                    resource,
                    property,
                    Fault.ofProperty(
                            FaultCode.PROPERTY_VALUE,
                            List.of("resources", resource.name(), "properties", property),
                            evaluated.secret() ? UnresolvedException.HIDDEN : complaint));
        }
    }

    private String complaint(ParameterSchema schema, Supplied evaluated) {
        try {
            Value converted = ParameterValues.supplied(schema.type(), evaluated.value());
            return schema.complaint(converted, evaluated.secret(), stack.budget());
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        } catch (FaultException e) {
            return null; // the nested stack reports it
        }
    }

    /* Checks the value of a property of Heat's own types, as far as the type shows. */
    private static String complaint(String type, Value value) {
        if (type == null) {
            return null;
        }
        return switch (type) {
            case "Map" -> value instanceof MapValue ? null : shown(value) + " is not a map";
            case "List" -> value instanceof ListValue ? null : shown(value) + " is not a list";
            case "String" ->
                value instanceof MapValue || value instanceof ListValue
                        ? "Value must be a string; got " + shown(value)
                        : null;
            case "Integer", "Number" -> number(value, type.equals("Integer"));
            default -> null;
        };
    }

    private static String number(Value value, boolean whole) {
        try {
            Num num = value instanceof Num own ? own : Python.number(PythonText.str(value));
            return value instanceof Bool || !whole || num.isInteger()
                    ? null
                    : "Value '" + PythonText.str(value) + "' is not an integer";
        } catch (IllegalArgumentException e) {
            return value instanceof Bool
                    ? null
                    : "Value '" + PythonText.str(value) + "' is not " + (whole ? "an integer" : "a number");
        }
    }

    private static String shown(Value value) {
        return "\"" + PythonText.str(value) + "\"";
    }

    /** Checks a value of the root template, or an environment's default for it. */
    void parameter(ParameterSchema schema, Value value, Origin origin) {
        String complaint = schema.complaint(value, false, stack.budget());
        if (complaint != null) {
            Fault fault = Fault.raised(
                    FaultCode.PARAMETER_VALUE,
                    "StackValidationFailed",
                    "Parameter '" + schema.name() + "' is invalid: " + complaint);
            faults.report(fault.in(origin));
        }
    }
}
