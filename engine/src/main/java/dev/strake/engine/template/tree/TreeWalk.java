package dev.strake.engine.template.tree;

import dev.strake.engine.template.environment.Registry;
import dev.strake.engine.template.fault.Fault;
import dev.strake.engine.template.fault.FaultCode;
import dev.strake.engine.template.fault.FaultException;
import dev.strake.engine.template.function.Calls;
import dev.strake.engine.template.function.Evaluation;
import dev.strake.engine.template.function.Expression;
import dev.strake.engine.template.function.UnresolvedException;
import dev.strake.engine.template.parameter.ParameterSchema;
import dev.strake.engine.template.parameter.ParameterValues;
import dev.strake.engine.template.source.Origin;
import dev.strake.engine.template.source.SourceFile;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Walks a tree of stacks from its top, checks them as far as is asked, and collects their parameters. */
public final class TreeWalk {

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
    private final Map<String, Origin> defaultOrigins;
    private final boolean deep;
    private final boolean nested;
    private final Map<String, String> typesMet = new LinkedHashMap<>();
    private final Set<Registry.Entry> mappingsUsed = new HashSet<>();
    private int nodes;
    private int parameters;
    private Faults raised;
    private boolean tooLarge;

    TreeWalk(Stack.Context context, Limits limits, Map<String, Origin> defaultOrigins, boolean deep, boolean nested) {
        this.context = context;
        this.limits = limits;
        this.defaultOrigins = defaultOrigins;
        this.deep = deep;
        this.nested = nested;
    }

    /** What Heat adds to the registry when it comes across a type at the top: files, and types that were mapped. */
    Map<String, String> typesMet() {
        return typesMet;
    }

    /** The mappings that some resource of the tree took. */
    Set<Registry.Entry> mappingsUsed() {
        return mappingsUsed;
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
        for (Fault fault :
                template == null ? List.<Fault>of() : template.resources().faults()) {
            faults.report(fault);
        }
        if (template != null) {
            conditions(stack, level, faults);
        }
        if (level == Level.FULL && template != null) {
            Set<String> both = new LinkedHashSet<>(stack.schemas().keySet());
            both.retainAll(stack.resources().keySet());
            if (!both.isEmpty()) {
                String first = both.iterator().next();
                faults.report(
                        Fault.of(FaultCode.DUPLICATE_NAME, "Duplicate names {'" + String.join("', '", both) + "'}")
                                .in(stack.file(), ".resources." + first));
            }
        }
        enable(stack, faults);
        Map<String, Implementation> implementations = implementations(stack, faults);
        if (level == Level.FULL) {
            new References(stack, faults).check();
        }
        Map<String, Node> children = new LinkedHashMap<>();
        ResourceCheck check = new ResourceCheck(stack, faults, implementations);
        boolean goesDown = deep || nested || stack.depth() > 0;
        if (level == Level.FULL && !deep) { // Heat checks all of a stack before it goes down
            stack.enabled().values().forEach(resource -> check(check, resource, implementations, faults));
            outputs(stack, template, check, faults);
        }
        for (Resource resource : stack.enabled().values()) {
            if (level == Level.FULL && deep) {
                check(check, resource, implementations, faults);
            }
            Implementation implementation = implementations.get(resource.name());
            if (goesDown && implementation != null) {
                Node child = child(stack, resource, implementation, deep ? level : Level.LIGHT, deep ? faults : raised);
                if (child != null) {
                    children.put(resource.name(), child);
                }
            }
        }
        if (level == Level.FULL && deep) {
            outputs(stack, template, check, faults);
        }
        return node(type, stack, template, children);
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
            Origin origin = context.defaults().containsKey(name) && defaultOrigins.containsKey(name)
                    ? defaultOrigins.get(name)
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

    private static void conditions(Stack stack, Level level, Faults faults) {
        stack.conditions().forEach((name, definition) -> {
            if (definition instanceof Expression.Broken broken) {
                faults.report(broken.fault().in(stack.file(), ".conditions." + name));
            } else if (definition instanceof Expression.Call call) {
                brokenBelow(call.argument(), stack, faults);
            } else if (level == Level.FULL) {
                try {
                    stack.holds(new Text(name)); // no call: it is a boolean, or wrong
                } catch (FaultException e) {
                    faults.report(e.fault());
                }
            }
        });
    }

    private static void brokenBelow(Expression expression, Stack stack, Faults faults) {
        if (expression instanceof Expression.Broken broken) {
            faults.report(broken.fault().in(stack.file(), null));
        } else if (expression instanceof Expression.Items items) {
            items.items().forEach(item -> brokenBelow(item, stack, faults));
        } else if (expression instanceof Expression.Entries entries) {
            entries.values().forEach(item -> brokenBelow(item, stack, faults));
        } else if (expression instanceof Expression.Call call) {
            brokenBelow(call.argument(), stack, faults);
        }
    }

    /* Finds the resources that are switched on, and what cannot be read in them. */
    private static void enable(Stack stack, Faults faults) {
        for (Resource resource : stack.resources().values()) {
            stack.budget().spend(1);
            if (isEnabled(stack, resource, faults)) {
                stack.enabled().put(resource.name(), resource);
            }
        }
        for (Resource resource : stack.enabled().values()) {
            Faults here = fault -> faults.report(
                    resource.origin() == null
                            ? fault
                            : fault.in(
                                    resource.origin().file(), resource.origin().place()));
            resource.properties().values().forEach(each -> Calls.check(each, stack, here::report));
            resource.rest().forEach(each -> Calls.check(each, stack, here::report));
            if (resource.updatePolicy() != null) {
                Calls.check(resource.updatePolicy(), stack, here::report);
            }
            Fault policy = ResourceCheck.invalidPolicy(resource, stack);
            if (policy != null) {
                here.report(policy);
            }
            if (resource.name().contains("/")) {
                here.report(Fault.of(FaultCode.RESOURCE_NAME, "Resource name may not contain \"/\""));
            }
        }
    }

    private static boolean isEnabled(Stack stack, Resource resource, Faults faults) {
        if (resource.condition() == null) {
            return true;
        }
        String path = "resources." + resource.name() + ".condition";
        try {
            if (resource.condition() instanceof Expression.Broken broken) {
                throw new FaultException(broken.fault());
            }
            return Evaluation.holds(resource.condition(), stack);
        } catch (UnresolvedException e) {
            faults.report((e.unsetParameter() == null
                            ? Fault.at(FaultCode.CONDITION, List.of(path), e.getMessage())
                            : Fault.raised(FaultCode.MISSING_PARAMETER, "UserParameterMissing", e.getMessage()))
                    .in(stack.file(), "." + path));
        } catch (FaultException e) {
            faults.report(e.fault().in(stack.file(), "." + path));
        }
        return false;
    }

    private Map<String, Implementation> implementations(Stack stack, Faults faults) {
        Map<String, Implementation> found = new HashMap<>();
        for (Resource resource : stack.enabled().values()) {
            Implementation implementation = Implementations.find(
                    stack.registry(), resource.type(), resource.name(), mappingsUsed, context.budget());
            if (stack.depth() == 0) {
                met(stack.registry(), resource, implementation);
            }
            if (implementation instanceof Implementation.Unknown unknown) {
                Fault fault = unknown.endless()
                        ? Fault.raised(
                                FaultCode.REGISTRY_LOOP,
                                "RecursionError",
                                "the mappings of the Resource Type (" + resource.type() + ") lead in a circle")
                        : Fault.of(
                                FaultCode.UNKNOWN_TYPE,
                                "The Resource Type (" + resource.type() + ") could not be found.");
                Origin origin = resource.origin();
                faults.report(origin == null ? fault : fault.in(origin.file(), origin.place() + ".type"));
            } else {
                found.put(resource.name(), implementation);
            }
        }
        return found;
    }

    private void met(Registry registry, Resource resource, Implementation implementation) {
        if (Registry.isTemplate(resource.type())) {
            typesMet.put(resource.type(), resource.type());
        } else if (implementation instanceof Implementation.BuiltIn) {
            registry.candidates(resource.type(), resource.name()).stream()
                    .filter(mappingsUsed::contains)
                    .findFirst()
                    .ifPresent(entry -> typesMet.put(resource.type(), entry.target()));
        }
    }

    private void check(
            ResourceCheck check, Resource resource, Map<String, Implementation> implementations, Faults faults) {
        Implementation implementation = implementations.get(resource.name());
        if (implementation == null) {
            return;
        }
        Map<String, ParameterSchema> provider = null;
        if (implementation instanceof Implementation.Nested file) {
            Template template;
            try {
                template = load(file, resource);
                provider = template.parameters();
            } catch (FaultException e) {
                if (!deep) { // going down reports it otherwise
                    faults.report(e.fault());
                }
                return;
            }
            if (!deep) {
                template.outputFaults(true).forEach(faults::report);
            }
        }
        check.check(resource, implementation, provider);
    }

    private Template load(Implementation.Nested nestedFile, Resource resource) {
        SourceFile source = context.sources().get(nestedFile.file());
        if (source == null) {
            Fault fault = Fault.of(
                    FaultCode.TEMPLATE_MISSING,
                    "Could not fetch remote template \"" + nestedFile.file() + "\": Invalid URL scheme ");
            Origin origin =
                    nestedFile.entry().origin() != null ? nestedFile.entry().origin() : resource.origin();
            throw new FaultException(origin == null ? fault : fault.in(origin.file(), origin.place()));
        }
        return context.templates().of(source);
    }

    private void outputs(Stack stack, Template template, ResourceCheck check, Faults faults) {
        if (template == null) {
            return;
        }
        if (stack.depth() == 0) {
            template.outputFaults(false).forEach(faults::report);
        }
        template.outputs().forEach((name, value) -> {
            Value condition = template.outputCondition(name);
            try {
                if (condition != null && !stack.holds(condition)) {
                    return;
                }
            } catch (UnresolvedException e) {
                faults.report(Fault.at(FaultCode.CONDITION, List.of("outputs." + name + ".condition"), e.getMessage())
                        .in(stack.file(), ".outputs." + name));
                return;
            } catch (FaultException e) {
                faults.report(e.fault());
                return;
            }
            Calls.check(value, stack, fault -> faults.report(fault.in(stack.file(), ".outputs." + name)));
            new References(stack, faults).output(value);
            check.calls(value);
        });
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
        Template template = load(file, resource);
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
            Map<String, ParameterSchema> schemas = schemas(template);
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
                    supplied(stack, resource, schemas),
                    stack.registry().below(resource.name(), file.entry()));
            Node node = walk(resource.type(), child, template, level, inside);
            if (level == Level.FULL) {
                Facade.check(stack.registry(), resource, file, template, context, faults);
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

    /* The parameters of a nested template: defaults of the environment take the place of its own, null among them. */
    private Map<String, ParameterSchema> schemas(Template template) {
        Map<String, ParameterSchema> own = template.parameters();
        Map<String, ParameterSchema> schemas = new LinkedHashMap<>();
        own.forEach((name, schema) -> schemas.put(
                name,
                context.defaults().containsKey(name)
                        ? schema.withDefault(context.defaults().get(name))
                        : schema));
        return schemas;
    }

    private static Map<String, Supplied> supplied(
            Stack stack, Resource resource, Map<String, ParameterSchema> schemas) {
        Map<String, Supplied> supplied = new HashMap<>();
        resource.properties().forEach((name, expression) -> {
            ParameterSchema schema = schemas.get(name);
            if (schema == null) {
                return;
            }
            Origin origin = resource.origin(name);
            boolean secret = resource.secrets().contains(name);
            Value value;
            try {
                Supplied worked = stack.work(expression, false);
                if (worked.value() == null) {
                    return;
                }
                secret |= worked.secret();
                value = ParameterValues.supplied(schema.type(), worked.value());
            } catch (UnresolvedException | IllegalArgumentException e) {
                value = ParameterValues.zero(schema.type()); // Heat goes on with that, whatever the reason
            } catch (FaultException e) {
                throw new FaultException(origin == null ? e.fault() : e.fault().in(origin.file(), origin.place()));
            }
            supplied.put(
                    name,
                    new Supplied(value == Null.NULL ? ParameterValues.zero(schema.type()) : value, secret, origin));
        });
        return supplied;
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
                stack.registry().below(resource.name(), null));
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
