package dev.strake.heat.template;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.parameter.Registry;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.Origin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Walks a tree of stacks from its root, checks each stack at a given level, and collects the parameters. */
final class TreeWalk {

    /** How much of a stack is checked. */
    enum Level {
        /** Everything that needs no values. */
        FULL,
        /** Only what Heat detects while it lists the parameters of a nested stack. */
        LIGHT
    }

    /** Replaces the name of the file in paths, for stacks without a file. */
    private static final String NO_FILE = "nested_stack";

    /** The maximum length of a name in the path of a fault: 1,000 faults may each have a path with 100 names. */
    private static final int LONGEST_NAME = 250;

    /** The work for each stack, in units. */
    private static final int FOR_STACK = 100;

    /** The bytes of supplied values that count as one unit, since the tree keeps the values of all stacks. */
    private static final int BYTES_KEPT = 2;

    private static final Text NO_DESCRIPTION = new Text("No description");

    private final Stack.Context context;
    private final TreeLimits limits;
    private final boolean deep;
    private final boolean nested;
    private final Map<String, String> typesMet = new LinkedHashMap<>();
    private int nodes;
    private int parameters;
    private Faults raised;
    private boolean tooLarge;

    TreeWalk(Stack.Context context, TreeLimits limits, boolean deep, boolean nested) {
        this.context = context;
        this.limits = limits;
        this.deep = deep;
        this.nested = nested;
    }

    /** Returns the types in the root stack that Heat adds to the registry: files, and mapped types. */
    Map<String, String> typesMet() {
        return typesMet;
    }

    StackNode top(
            Template template,
            Map<String, ParameterSchema> schemas,
            Map<String, Supplied> supplied,
            Registry registry,
            Faults reported) {
        raised = reported;
        // Heat returns faults of the root stack, but raises those of nested stacks.
        Faults faults = deep ? reported : fault -> reported.report(fault.answered());
        sections(template, faults);
        for (String name : supplied.keySet()) {
            if (!schemas.containsKey(name)) {
                Fault fault = Fault.raised(
                        FaultCode.UNKNOWN_PARAMETER,
                        "UnknownUserParameter",
                        "The Parameter (" + name + ") was not defined in template.");
                Origin origin = supplied.get(name).origin();
                faults.report(fault.in(origin));
            }
        }
        defaults(template.parameters(), supplied.keySet(), template.source().name(), faults);
        ParameterGroups.check(template, faults);
        Stack stack;
        try {
            stack = Stack.of(context, null, "dummy", template, schemas, supplied, registry);
        } catch (FaultException e) { // a section is invalid, so no resources or conditions can be checked
            faults.report(e.fault());
            return null;
        }
        if (deep) {
            given(stack, faults);
        }
        return walk(null, stack, template, Level.FULL, faults);
    }

    /* Checks the values of the root template, and the environments' defaults for it. */
    private static void given(Stack stack, Faults faults) {
        ValueCheck check = new ValueCheck(stack, faults);
        stack.schemas().forEach((name, schema) -> {
            Supplied value = stack.supplied().get(name);
            Supplied other = stack.defaultOf(name);
            if (value != null) {
                check.parameter(schema, value.value(), value.origin());
            } else if (other != null && !(other.value() instanceof Null)) {
                check.parameter(schema, other.value(), other.origin());
            }
        });
    }

    private void sections(Template template, Faults faults) {
        String file = template.source().name();
        for (String section : template.unknownSections()) {
            faults.report(Fault.of(FaultCode.TEMPLATE_SECTION, "The template section is invalid: " + section)
                    .in(file, "." + section));
        }
        if (limits.resources() >= 0 && template.resourceCount() > limits.resources()) {
            faults.report(tooManyResources(file));
        }
    }

    private static Fault tooManyResources(String file) {
        return Fault.raised(
                        FaultCode.RESOURCE_LIMIT,
                        "RequestLimitExceeded",
                        "Request limit exceeded: Maximum resources per stack exceeded.")
                .in(file, ".resources");
    }

    /* Checks the defaults. Their types are checked only if no value is supplied, and not by Heat's own call. */
    private void defaults(Map<String, ParameterSchema> schemas, Set<String> supplied, String file, Faults faults) {
        schemas.forEach((name, schema) -> {
            try {
                if (schema.defaultValue() != null) {
                    context.budget().spendJson(schema.defaultValue());
                }
                schema.check(context.budget());
                if (deep && !supplied.contains(name)) {
                    schema.checkTypeOfDefault();
                }
            } catch (FaultException e) {
                faults.report(e.fault().in(file, ".parameters." + name));
            }
        });
    }

    /* Walks a stack and its nested stacks. The template is null for the stack of a group. */
    private StackNode walk(String type, Stack stack, Template template, Level level, Faults faults) {
        count(stack, template);
        StackCheck check = new StackCheck(stack, template, faults);
        boolean full = level == Level.FULL;
        check.look(full, typesMet);
        if (full && !deep) { // Heat checks a whole stack before its nested stacks
            stack.enabled().values().forEach(resource -> check.resource(resource, false));
            check.outputs();
        }
        Map<String, StackNode> children = new LinkedHashMap<>();
        boolean goesDown = deep || nested || stack.depth() > 0;
        for (Resource resource : stack.enabled().values()) {
            if (full && deep) {
                check.resource(resource, true);
            }
            Implementation implementation = check.implementation(resource);
            if (goesDown && implementation != null) {
                StackNode child =
                        child(stack, resource, implementation, deep ? level : Level.LIGHT, deep ? faults : raised);
                if (child != null) {
                    children.put(resource.name(), child);
                }
            }
        }
        if (full && deep) {
            check.outputs();
        }
        return node(type, stack, template, children);
    }

    /* Counts the memory of a stack, and the work of inspecting its whole template. */
    private void count(Stack stack, Template template) {
        nodes++;
        parameters += stack.schemas().size();
        if (nodes > limits.stacks() || parameters > limits.parameters()) {
            tooLarge = true;
            throw new FaultException(Fault.raised(
                            FaultCode.LIMIT,
                            "RequestLimitExceeded",
                            "the tree has more than " + limits.stacks() + " stacks or " + limits.parameters()
                                    + " parameters")
                    .in(stack.file(), null));
        }
        Budget budget = context.budget();
        budget.spend(FOR_STACK + stack.resources().size());
        if (template != null) {
            budget.spendJson(template.written());
        }
        stack.schemas().forEach((name, schema) -> {
            Supplied given = stack.supplied().get(name);
            if (given == null && schema.defaultValue() == null) {
                budget.spend(stack.pathLength()); // needs_input lists it with its path
            } else if (given != null) {
                budget.spend(given.value().weight() / BYTES_KEPT);
            }
        });
    }

    private StackNode node(String type, Stack stack, Template template, Map<String, StackNode> children) {
        List<StackNode.Parameter> all = new ArrayList<>(stack.schemas().size());
        stack.schemas().forEach((name, schema) -> {
            Supplied given = stack.defaultOf(name);
            Origin origin = given != null && given.origin() != null ? given.origin() : template.defaultOrigin(name);
            all.add(new StackNode.Parameter(
                    schema, schema.defaultValue(), origin, stack.supplied().get(name)));
        });
        return new StackNode(
                type,
                template == null ? NO_DESCRIPTION : template.description(),
                all,
                template == null ? null : template.groups(),
                nested ? children : Map.of());
    }

    private static List<String> path(Resource resource, String file) {
        return List.of(
                "resources", Problem.cut(resource.name(), LONGEST_NAME) + "<" + Problem.cut(file, LONGEST_NAME) + ">");
    }

    private StackNode child(Stack stack, Resource resource, Implementation implementation, Level level, Faults faults) {
        try {
            if (implementation instanceof Implementation.Nested file) {
                return template(stack, resource, file, level, faults);
            }
            String type = implementation.builtIn().name();
            if (Groups.TYPES.contains(type)) {
                return group(stack, resource, type, level, faults);
            }
            return switch (type) {
                case "OS::Heat::InstanceGroup",
                        "AWS::AutoScaling::AutoScalingGroup",
                        "OS::Heat::SoftwareDeploymentGroup",
                        "OS::Heat::SoftwareDeployments",
                        "OS::Heat::StructuredDeploymentGroup",
                        "OS::Heat::StructuredDeployments" -> {
                    requireDepth(stack);
                    yield new StackNode(resource.type(), NO_DESCRIPTION, List.of(), null, Map.of());
                }
                default -> null;
            };
        } catch (FaultException e) {
            if (tooLarge) {
                throw e;
            }
            faults.report(deep ? e.fault() : e.fault().raisedByNested());
            return null;
        }
    }

    private void requireDepth(Stack stack) {
        if (stack.depth() >= limits.nesting()) {
            throw new FaultException(Fault.raised(
                            FaultCode.NESTING_DEPTH,
                            "RequestLimitExceeded",
                            "Request limit exceeded: Recursion depth exceeds " + limits.nesting() + ".")
                    .in(stack.file(), null));
        }
    }

    private StackNode template(Stack stack, Resource resource, Implementation.Nested file, Level level, Faults faults) {
        Template template = stack.template(file, resource);
        template.parameters();
        List<Fault> outputs = template.outputFaults(true);
        if (deep || stack.depth() > 0) {
            outputs.forEach(faults::report);
        }
        Faults inside = deep ? faults.inside(path(resource, file.file())) : faults;
        try {
            requireDepth(stack);
            if (limits.resources() >= 0 && template.resourceCount() > limits.resources()) {
                throw new FaultException(tooManyResources(template.source().name()));
            }
            Map<String, ParameterSchema> schemas = stack.schemasOf(template);
            if (level == Level.FULL) {
                sections(template, inside);
                defaults(
                        schemas,
                        resource.properties().keySet(),
                        template.source().name(),
                        inside);
                ParameterGroups.check(template, inside);
            }
            Stack child = Stack.of(
                    context,
                    stack,
                    resource.name(),
                    template,
                    schemas,
                    Supplied.by(stack, resource, schemas),
                    stack.registryBelow(resource.name(), file.entry()));
            StackNode node = walk(resource.type(), child, template, level, inside);
            if (level == Level.FULL) {
                Facade.check(stack, resource, file, template, faults);
            }
            return node;
        } catch (FaultException e) {
            if (tooLarge) {
                throw e;
            }
            inside.report(e.fault());
            return null;
        }
    }

    private StackNode group(Stack stack, Resource resource, String type, Level level, Faults faults) {
        requireDepthOfGroup(stack, resource);
        Groups.Members members = Groups.members(stack, resource, type, deep);
        boolean unchecked = deep && members.empty();
        Faults inside = unchecked ? Faults.IGNORED : deep ? faults.inside(path(resource, NO_FILE)) : faults;
        List<String> itself = List.of("resources", resource.name());
        for (Fault fault : members.faults()) {
            if (members.insideStack()) {
                inside.report(fault);
            } else {
                faults.report(deep ? fault.inside(itself) : fault);
            }
        }
        if (members.resources() == null) {
            return null;
        }
        Stack child = Stack.ofMembers(
                context, stack, resource.name(), members.resources(), stack.registryBelow(resource.name(), null));
        return walk(resource.type(), child, null, unchecked ? Level.LIGHT : level, inside);
    }

    private void requireDepthOfGroup(Stack stack, Resource resource) {
        try {
            requireDepth(stack);
        } catch (FaultException e) {
            throw deep ? new FaultException(e.fault().inside(path(resource, NO_FILE))) : e;
        }
    }
}
