package dev.strake.heat.template;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.function.Expression;
import dev.strake.heat.function.ExpressionValue;
import dev.strake.heat.function.Scope;
import dev.strake.heat.function.UnresolvedException;
import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.parameter.ParameterType;
import dev.strake.heat.parameter.ParameterValues;
import dev.strake.heat.parameter.Registry;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.Origin;
import dev.strake.heat.source.SourceFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A template with values: its parameters have the supplied values, and its conditions can be evaluated. */
final class Stack implements Scope {

    /**
     * The data that all stacks of a request share.
     *
     * @param defaults the environments' defaults by parameter
     * @param mappingsUsed collects the mappings that lead to an implementation
     */
    record Context(
            Map<String, SourceFile> files,
            Template.Cache templates,
            Map<String, Supplied> defaults,
            Budget budget,
            Set<Registry.Entry> mappingsUsed) {}

    /** A longer chain of conditions that refer to each other would overflow the thread's stack. */
    private static final int DEEPEST = 300;

    private final Context context;
    private final Stack parent;
    private final String name;
    private final String file;
    private final Map<String, ParameterSchema> schemas;
    private final Map<String, Expression> conditions;
    private final Map<String, Resource> resources;
    private final Map<String, Supplied> supplied;
    private final Registry registry;
    private final Map<String, Value> worth = new HashMap<>();
    private final Map<String, Boolean> holding = new HashMap<>();
    private final Map<String, FaultException> broken = new HashMap<>();
    private final Map<String, Resource> enabled = new LinkedHashMap<>();
    private final int depth;
    private final int pathLength;
    private int secretsRead;
    private int conditionDepth;

    private Stack(
            Context context,
            Stack parent,
            String name,
            String file,
            Map<String, ParameterSchema> schemas,
            Map<String, Expression> conditions,
            Map<String, Resource> resources,
            Map<String, Supplied> supplied,
            Registry registry) {
        this.context = context;
        this.parent = parent;
        this.name = name;
        this.depth = parent == null ? 0 : parent.depth + 1;
        this.pathLength = parent == null ? 0 : parent.pathLength + name.length() + 1;
        this.file = file;
        this.schemas = schemas;
        this.conditions = conditions;
        this.resources = resources;
        this.supplied = supplied;
        this.registry = registry;
    }

    /**
     * Creates the root stack or a nested stack.
     *
     * @param parent the parent stack; null for the root stack
     * @param name the name of the resource that nests the stack
     */
    static Stack of(
            Context context,
            Stack parent,
            String name,
            Template template,
            Map<String, ParameterSchema> schemas,
            Map<String, Supplied> supplied,
            Registry registry) {
        return new Stack(
                context,
                parent,
                name,
                template.source().name(),
                schemas,
                template.conditions(),
                template.resources().resources(),
                supplied,
                registry);
    }

    /** Creates the stack of a group's members. */
    static Stack ofMembers(
            Context context, Stack parent, String name, Map<String, Resource> members, Registry registry) {
        return new Stack(context, parent, name, parent.file, Map.of(), Map.of(), members, Map.of(), registry);
    }

    Context context() {
        return context;
    }

    /* Returns the name that Heat would give. Built on demand, since names and depth may be large. */
    private String stackName() {
        context.budget.spendText(pathLength);
        List<String> names = new ArrayList<>();
        for (Stack each = this; each != null; each = each.parent) {
            names.add(each.name);
        }
        Collections.reverse(names);
        return String.join("-", names);
    }

    int depth() {
        return depth;
    }

    /** Returns the total length of the resource names that lead to this stack. */
    int pathLength() {
        return pathLength;
    }

    String file() {
        return file;
    }

    /** Returns the mappings that apply to a resource, best match first. */
    List<Registry.Entry> candidates(String type, String resource) {
        context.budget.spend(registry.wildcards());
        return registry.candidates(type, resource);
    }

    /** Returns the registry for the template of a resource. */
    Registry registryBelow(String resource, Registry.Entry taken) {
        return registry.below(resource, taken, context.budget);
    }

    /** Returns the parameters of a nested template. The environments' defaults override declared ones, even if null. */
    Map<String, ParameterSchema> schemasOf(Template nested) {
        Map<String, ParameterSchema> all = new LinkedHashMap<>();
        nested.parameters().forEach((parameter, schema) -> {
            Supplied given = defaultOf(parameter);
            all.put(parameter, given == null ? schema : schema.withDefault(given.value()));
        });
        return all;
    }

    /** Returns the file with a name; null if there is none. */
    SourceFile source(String wanted) {
        return context.files.get(wanted);
    }

    /**
     * Returns the template of a resource.
     *
     * @throws FaultException if it is missing or invalid
     */
    Template template(Implementation.Nested nested, Resource resource) {
        SourceFile source = source(nested.file());
        if (source == null) {
            Fault fault = Fault.of(
                    FaultCode.TEMPLATE_MISSING,
                    "Could not fetch remote template \"" + nested.file() + "\": Invalid URL scheme ");
            Origin origin = nested.entry().origin() != null ? nested.entry().origin() : resource.origin();
            throw new FaultException(fault.in(origin));
        }
        return context.templates.of(source);
    }

    /** Returns the environments' default for a parameter; null if there is none. */
    Supplied defaultOf(String parameter) {
        return context.defaults.get(parameter);
    }

    Map<String, ParameterSchema> schemas() {
        return schemas;
    }

    Map<String, Supplied> supplied() {
        return supplied;
    }

    Map<String, Expression> conditions() {
        return conditions;
    }

    Map<String, Resource> resources() {
        return resources;
    }

    /** Returns the enabled resources. A resource is not enabled if its condition cannot be evaluated. */
    Map<String, Resource> enabled() {
        return enabled;
    }

    @Override
    public Value parameter(String parameter) {
        ParameterSchema schema = schemas.get(parameter);
        if (schema == null) {
            return pseudo(parameter);
        }
        Supplied given = supplied.get(parameter);
        if (schema.hidden() || (given != null && given.secret())) {
            secretsRead++;
        }
        Value known = worth.get(parameter);
        if (known != null) {
            return known;
        }
        Value written = given != null ? given.value() : schema.defaultValue();
        if (written == null || written instanceof Null) {
            throw schema.type() == ParameterType.BOOLEAN
                    ? UnresolvedException.unsetBoolean(parameter)
                    : UnresolvedException.unset(parameter);
        }
        context.budget.spendJson(written);
        try {
            Value value = ParameterValues.inTemplate(schema.type(), written);
            worth.put(parameter, value);
            return value;
        } catch (IllegalArgumentException e) {
            throw new UnresolvedException("Parameter '" + parameter + "' is invalid: " + e.getMessage());
        }
    }

    private Value pseudo(String parameter) {
        return switch (parameter) {
            case "OS::stack_name" -> new Text(stackName());
            case "OS::stack_id" -> new Text("None");
            case "OS::project_id" -> new Text("");
            default -> throw UnresolvedException.unset(parameter);
        };
    }

    /** Evaluates an expression and tracks whether a hidden parameter was read. The size of the value counts as work. */
    Supplied evaluate(Expression expression, boolean tolerant) {
        int before = secretsRead;
        Value value = tolerant ? ExpressionValue.tolerant(expression, this) : ExpressionValue.of(expression, this);
        if (value != null) {
            context.budget.spendJson(value);
        }
        return new Supplied(value, secretsRead > before, null);
    }

    @Override
    public boolean holds(Value condition) {
        if (condition instanceof Bool bool) {
            return bool.value();
        }
        if (!(condition instanceof Text text) || !conditions.containsKey(text.value())) {
            String shown = condition instanceof Text text ? text.value() : condition.kind();
            throw new UnresolvedException("Invalid condition \"" + shown + "\"");
        }
        String wanted = text.value();
        FaultException known = broken.get(wanted);
        if (known != null) {
            throw known;
        }
        Boolean holds = holding.get(wanted);
        if (holds == null) {
            if (conditionDepth >= DEEPEST) {
                throw condition("The definition of condition \"" + wanted + "\" depends on a chain of more than "
                        + DEEPEST + " conditions");
            }
            // Marks the condition as circular, in case its own evaluation needs it.
            broken.put(wanted, condition("Circular definition for condition \"" + wanted + "\""));
            conditionDepth++;
            try {
                holds = evaluateCondition(wanted);
                broken.remove(wanted);
            } catch (FaultException e) {
                broken.put(wanted, e);
                throw e;
            } finally {
                conditionDepth--;
            }
            holding.put(wanted, holds);
        }
        return holds;
    }

    private boolean evaluateCondition(String wanted) {
        Expression definition = conditions.get(wanted);
        try {
            if (definition instanceof Expression.Broken wrong) {
                throw new FaultException(wrong.fault().in(file, ".conditions." + wanted));
            }
            Supplied evaluated = evaluate(definition, false);
            if (evaluated.value() instanceof Bool bool) {
                return bool.value();
            }
            throw condition("The definition of condition \"" + wanted + "\" is invalid: " + evaluated.shown());
        } catch (UnresolvedException e) {
            throw new FaultException(e.toFault(FaultCode.CONDITION, List.of("conditions." + wanted))
                    .in(file, ".conditions." + wanted));
        }
    }

    private FaultException condition(String message) {
        return new FaultException(Fault.of(FaultCode.CONDITION, "Condition validation error", List.of(), message)
                .in(file, ".conditions"));
    }

    @Override
    public String file(String wanted) {
        SourceFile source = source(wanted);
        if (source == null) {
            throw new UnresolvedException("No content found in the \"files\" section for get_file path: " + wanted);
        }
        return source.text();
    }

    @Override
    public boolean hasResource(String resource) {
        return enabled.containsKey(resource);
    }

    @Override
    public int secretsRead() {
        return secretsRead;
    }

    @Override
    public Budget budget() {
        return context.budget;
    }
}
