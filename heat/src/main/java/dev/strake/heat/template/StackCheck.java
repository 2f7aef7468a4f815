package dev.strake.heat.template;

import dev.strake.engine.tree.Text;
import dev.strake.heat.function.Calls;
import dev.strake.heat.function.Expression;
import dev.strake.heat.function.ExpressionValue;
import dev.strake.heat.function.UnresolvedException;
import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.parameter.Registry;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.Origin;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks a stack by itself: its conditions, its enabled resources and their implementations, and its outputs. */
final class StackCheck {

    private final Stack stack;
    private final Template template;
    private final Faults faults;
    private final Map<String, Implementation> implementations = new HashMap<>();
    private final ResourceCheck resources;
    private final ValueCheck values;

    /** @param template the template; null for the stack of a group */
    StackCheck(Stack stack, Template template, Faults faults) {
        this.stack = stack;
        this.template = template;
        this.faults = faults;
        this.resources = new ResourceCheck(stack, faults, implementations);
        this.values = new ValueCheck(stack, faults);
    }

    /**
     * Runs the checks that Heat always makes: determines the enabled resources and their implementations.
     *
     * @param typesMet collects the types in the root stack that Heat adds to the registry
     */
    void look(boolean full, Map<String, String> typesMet) {
        if (template != null) {
            template.resources().faults().forEach(faults::report);
            conditions(full);
            if (full) {
                duplicates();
            }
        }
        enable();
        implementations(typesMet);
        if (full) {
            new ReferenceCheck(stack, faults).check();
        }
    }

    /** Returns the implementation of a resource; null if there is none. */
    Implementation implementation(Resource resource) {
        return implementations.get(resource.name());
    }

    private void conditions(boolean full) {
        stack.conditions().forEach((name, definition) -> {
            if (definition instanceof Expression.Broken broken) {
                faults.report(broken.fault().in(stack.file(), ".conditions." + name));
            } else if (definition instanceof Expression.Call call) {
                brokenBelow(call.argument());
            } else if (full) {
                try {
                    stack.holds(new Text(name)); // not a call, so it is a boolean or invalid
                } catch (FaultException e) {
                    faults.report(e.fault());
                }
            }
        });
    }

    private void brokenBelow(Expression expression) {
        if (expression instanceof Expression.Broken broken) {
            faults.report(broken.fault().in(stack.file(), null));
        } else if (expression instanceof Expression.Items items) {
            items.items().forEach(this::brokenBelow);
        } else if (expression instanceof Expression.Entries entries) {
            entries.values().forEach(this::brokenBelow);
        } else if (expression instanceof Expression.Call call) {
            brokenBelow(call.argument());
        }
    }

    private void duplicates() {
        Set<String> both = new LinkedHashSet<>(stack.schemas().keySet());
        both.retainAll(stack.resources().keySet());
        if (!both.isEmpty()) {
            String first = both.iterator().next();
            faults.report(Fault.of(FaultCode.DUPLICATE_NAME, "Duplicate names {'" + String.join("', '", both) + "'}")
                    .in(stack.file(), ".resources." + first));
        }
    }

    /* Determines the enabled resources, and reports broken expressions in them. */
    private void enable() {
        for (Resource resource : stack.resources().values()) {
            stack.budget().spend(1);
            if (isEnabled(resource)) {
                stack.enabled().put(resource.name(), resource);
            }
        }
        for (Resource resource : stack.enabled().values()) {
            Origin origin = resource.origin();
            Faults here = fault -> faults.report(fault.in(origin));
            resource.properties().values().forEach(each -> Calls.check(each, stack, here::report));
            resource.clauses().rest().forEach(each -> Calls.check(each, stack, here::report));
            if (resource.clauses().updatePolicy() != null) {
                Calls.check(resource.clauses().updatePolicy(), stack, here::report);
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

    private boolean isEnabled(Resource resource) {
        return resource.clauses().condition() == null
                || holds(resource.clauses().condition(), "resources." + resource.name() + ".condition");
    }

    /* Evaluates a condition. If that fails, the fault is reported and the condition does not hold. */
    private boolean holds(Expression condition, String path) {
        try {
            if (condition instanceof Expression.Broken broken) {
                throw new FaultException(broken.fault());
            }
            return ExpressionValue.holds(condition, stack);
        } catch (UnresolvedException e) {
            faults.report(e.toFault(FaultCode.CONDITION, List.of(path)).in(stack.file(), "." + path));
        } catch (FaultException e) {
            faults.report(e.fault().in(stack.file(), "." + path));
        }
        return false;
    }

    private void implementations(Map<String, String> typesMet) {
        Set<Registry.Entry> used = stack.context().mappingsUsed();
        for (Resource resource : stack.enabled().values()) {
            Implementation implementation = Implementation.find(stack, resource.type(), resource.name(), used);
            if (stack.depth() == 0) {
                met(resource, implementation, used, typesMet);
            }
            if (implementation instanceof Implementation.Unknown unknown) {
                Fault fault = unknown.endless()
                        ? Fault.raised(
                                FaultCode.REGISTRY_LOOP,
                                "RecursionError",
                                "the mappings of the Resource Type (" + resource.type() + ") form a cycle")
                        : Fault.of(
                                FaultCode.UNKNOWN_TYPE,
                                "The Resource Type (" + resource.type() + ") could not be found.");
                Origin origin = resource.origin();
                faults.report(origin == null ? fault : fault.in(origin.file(), origin.place() + ".type"));
            } else {
                implementations.put(resource.name(), implementation);
            }
        }
    }

    private void met(
            Resource resource, Implementation implementation, Set<Registry.Entry> used, Map<String, String> typesMet) {
        if (Registry.isTemplate(resource.type())) {
            typesMet.put(resource.type(), resource.type());
        } else if (implementation.builtIn() != null) {
            stack.candidates(resource.type(), resource.name()).stream()
                    .filter(used::contains)
                    .findFirst()
                    .ifPresent(entry -> typesMet.put(resource.type(), entry.target()));
        }
    }

    /** Checks all of a resource. */
    void resource(Resource resource, boolean deep) {
        Implementation implementation = implementation(resource);
        if (implementation == null) {
            return;
        }
        Map<String, ParameterSchema> provider = null;
        if (implementation instanceof Implementation.Nested file) {
            Template nested;
            try {
                nested = stack.template(file, resource);
                provider = nested.parameters();
            } catch (FaultException e) {
                if (!deep) { // otherwise the nested stack reports it
                    faults.report(e.fault());
                }
                return;
            }
            if (!deep) {
                nested.outputFaults(true).forEach(faults::report);
            }
        }
        resources.check(resource, implementation, provider);
        if (deep && stack.depth() == 0) {
            values.check(resource, implementation, provider);
        }
    }

    /** Checks all outputs. */
    void outputs() {
        if (template == null) {
            return;
        }
        if (stack.depth() == 0) {
            template.outputFaults(false).forEach(faults::report);
        }
        template.outputs().forEach((name, value) -> {
            Expression condition = template.outputCondition(name);
            if (condition != null && !holds(condition, "outputs." + name + ".condition")) {
                return;
            }
            Calls.check(value, stack, fault -> faults.report(fault.in(stack.file(), ".outputs." + name)));
            new ReferenceCheck(stack, faults).output(value);
            resources.calls(value);
        });
    }
}
