package dev.strake.engine.template.tree;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.template.environment.Registry;
import dev.strake.engine.template.fault.Fault;
import dev.strake.engine.template.fault.FaultCode;
import dev.strake.engine.template.fault.FaultException;
import dev.strake.engine.template.parameter.ParameterSchema;
import dev.strake.engine.template.source.Origin;
import dev.strake.engine.tree.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Walks a tree of stacks from its top, checks them as far as is asked, and collects their parameters. */
final class TreeWalk {

    /** How much of a stack is checked. */
    enum Level {
        /** All that does not need values. */
        FULL,
        /** What Heat cannot help to notice when it lists the parameters of a nested stack. */
        LIGHT
    }

    private static final Text NO_DESCRIPTION = new Text("No description");

    private final Stack.Context context;
    private final Limits limits;
    private final boolean deep;
    private final boolean nested;
    private final Memory memory;
    private final Map<String, String> typesMet = new LinkedHashMap<>();
    private int nodes;
    private int parameters;
    private Faults raised;
    private boolean tooLarge;

    TreeWalk(Stack.Context context, Limits limits, boolean deep, boolean nested, Memory memory) {
        this.context = context;
        this.limits = limits;
        this.memory = memory;
        this.deep = deep;
        this.nested = nested;
    }

    /** What Heat adds to the registry when it comes across a type at the top: files, and types that were mapped. */
    Map<String, String> typesMet() {
        return typesMet;
    }

    /** The top of the tree. */
    Node top(
            Template template,
            Map<String, ParameterSchema> schemas,
            Map<String, Supplied> supplied,
            Registry registry,
            Faults reported) {
        raised = reported;
        // Heat answers what is wrong at the top, and raises what it comes across further down.
        Faults faults = deep ? reported : fault -> reported.report(fault.answered());
        sections(template, faults);
        for (String name : supplied.keySet()) {
            if (!schemas.containsKey(name)) {
                Fault fault = Fault.raised(
                        FaultCode.UNKNOWN_PARAMETER,
                        "UnknownUserParameter",
                        "The Parameter (" + name + ") was not defined in template.");
                Origin origin = supplied.get(name).origin();
                faults.report(origin == null ? fault : fault.in(origin.file(), origin.place()));
            }
        }
        defaults(template.parameters(), template.source().name(), faults);
        ParameterGroups.check(template, faults);
        Stack stack;
        try {
            stack = Stack.of(context, "dummy", 0, template, schemas, supplied, registry);
        } catch (FaultException e) { // a section is none, so there are no resources or conditions to look at
            faults.report(e.fault());
            return null;
        }
        return walk(null, stack, template, Level.FULL, faults);
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

    private void defaults(Map<String, ParameterSchema> schemas, String file, Faults faults) {
        schemas.forEach((name, schema) -> {
            try {
                schema.check(context.budget());
            } catch (FaultException e) {
                faults.report(e.fault().in(file, ".parameters." + name));
            }
        });
    }

    /* A stack and what it nests. The template is null for the stack of a group. */
    private Node walk(String type, Stack stack, Template template, Level level, Faults faults) {
        count(stack);
        StackCheck check = new StackCheck(stack, template, faults);
        boolean full = level == Level.FULL;
        check.look(full, typesMet);
        if (full && !deep) { // Heat checks all of a stack before it goes down
            stack.enabled().values().forEach(resource -> check.resource(resource, false));
            check.outputs();
        }
        Map<String, Node> children = new LinkedHashMap<>();
        boolean goesDown = deep || nested || stack.depth() > 0;
        for (Resource resource : stack.enabled().values()) {
            if (full && deep) {
                check.resource(resource, true);
            }
            Implementation implementation = check.implementation(resource);
            if (goesDown && implementation != null) {
                Node child = child(stack, resource, implementation, deep ? level : Level.LIGHT, deep ? faults : raised);
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

    /* As the other, for a stack of a template, unless an equal one was walked before. */
    private Node remembered(String type, Stack stack, Template template, Level level, Faults faults) {
        Budget budget = context.budget();
        Memory.Instance known = memory.get(stack, level, type);
        if (known != null
                && known.effort() <= budget.left()
                && nodes + known.stacks() <= limits.nodes()
                && parameters + known.parameters() <= limits.parameters()) {
            budget.spend(known.effort());
            nodes += known.stacks();
            parameters += known.parameters();
            context.reading().add(known.seen().keySet(), known.mappings());
            known.faults().forEach(faults::report);
            return known.node();
        }
        long spent = budget.spent();
        int nodesBefore = nodes;
        int parametersBefore = parameters;
        Reading.Notes notes = context.reading().begin();
        try {
            context.reading().lookedAt(new Part.File(stack.file()));
            Node node = walk(type, stack, template, level, fault -> {
                notes.faults().add(fault);
                faults.report(fault);
            });
            memory.put(
                    stack,
                    level,
                    type,
                    notes,
                    nodes - nodesBefore,
                    parameters - parametersBefore,
                    budget.spent() - spent,
                    node);
            return node;
        } finally {
            context.reading().end();
        }
    }

    private void count(Stack stack) {
        context.budget().spend(10);
        nodes++;
        parameters += stack.schemas().size();
        if (nodes > limits.nodes() || parameters > limits.parameters()) {
            tooLarge = true;
            throw new FaultException(Fault.raised(
                            FaultCode.LIMIT,
                            "RequestLimitExceeded",
                            "the tree has more than " + limits.nodes() + " stacks or " + limits.parameters()
                                    + " parameters")
                    .in(stack.file(), null));
        }
    }

    private Node node(String type, Stack stack, Template template, Map<String, Node> children) {
        List<Node.Parameter> all = new ArrayList<>(stack.schemas().size());
        stack.schemas().forEach((name, schema) -> {
            View.Default given = stack.defaultOf(name);
            Origin origin = given != null && given.origin() != null
                    ? given.origin()
                    : new Origin(stack.file(), ".parameters." + name + ".default");
            all.add(new Node.Parameter(
                    schema, schema.defaultValue(), origin, stack.supplied().get(name)));
        });
        return new Node(
                type,
                template == null ? NO_DESCRIPTION : template.description(),
                all,
                template == null ? null : template.groups(),
                nested ? children : Map.of());
    }

    private Node child(Stack stack, Resource resource, Implementation implementation, Level level, Faults faults) {
        try {
            if (implementation instanceof Implementation.Nested file) {
                return template(stack, resource, file, level, faults);
            }
            return switch (((Implementation.BuiltIn) implementation).type().name()) {
                case "OS::Heat::ResourceGroup", "OS::Heat::ResourceChain", "OS::Heat::AutoScalingGroup" ->
                    group(
                            stack,
                            resource,
                            ((Implementation.BuiltIn) implementation).type().name(),
                            level,
                            faults);
                case "OS::Heat::InstanceGroup",
                        "AWS::AutoScaling::AutoScalingGroup",
                        "OS::Heat::SoftwareDeploymentGroup",
                        "OS::Heat::SoftwareDeployments",
                        "OS::Heat::StructuredDeploymentGroup",
                        "OS::Heat::StructuredDeployments" -> {
                    requireDepth(stack);
                    yield new Node(resource.type(), NO_DESCRIPTION, List.of(), null, Map.of());
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

    private Node template(Stack stack, Resource resource, Implementation.Nested file, Level level, Faults faults) {
        Template template = stack.template(file, resource);
        template.parameters();
        List<Fault> outputs = template.outputFaults(true);
        if (deep || stack.depth() > 0) {
            outputs.forEach(faults::report);
        }
        List<String> path = List.of("resources", resource.name() + "<" + file.file() + ">");
        Faults inside = deep ? fault -> faults.report(fault.inside(path)) : faults;
        try {
            requireDepth(stack);
            if (limits.resources() >= 0 && template.resourceCount() > limits.resources()) {
                throw new FaultException(tooManyResources(template.source().name()));
            }
            Map<String, ParameterSchema> schemas = stack.schemasOf(template);
            if (level == Level.FULL) {
                sections(template, inside);
                defaults(schemas, template.source().name(), inside);
                ParameterGroups.check(template, inside);
            }
            Stack child = Stack.of(
                    context,
                    stack.name() + "-" + resource.name(),
                    stack.depth() + 1,
                    template,
                    schemas,
                    Supplied.by(stack, resource, schemas),
                    stack.registryBelow(resource.name(), file.entry()));
            Node node = remembered(resource.type(), child, template, level, inside);
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

    private Node group(Stack stack, Resource resource, String type, Level level, Faults faults) {
        requireDepthOfGroup(stack, resource);
        Groups.Members members = Groups.members(stack, resource, type, deep);
        List<String> path = List.of("resources", resource.name() + "<nested_stack>");
        boolean unchecked = deep && members.empty();
        Faults inside = unchecked ? Faults.IGNORED : deep ? fault -> faults.report(fault.inside(path)) : faults;
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
                context,
                stack.name() + "-" + resource.name(),
                stack.depth() + 1,
                stack.file(),
                members.resources(),
                stack.registryBelow(resource.name(), null));
        return walk(resource.type(), child, null, unchecked ? Level.LIGHT : level, inside);
    }

    private void requireDepthOfGroup(Stack stack, Resource resource) {
        try {
            requireDepth(stack);
        } catch (FaultException e) {
            throw deep
                    ? new FaultException(e.fault().inside(List.of("resources", resource.name() + "<nested_stack>")))
                    : e;
        }
    }
}
