package dev.strake.heat.template;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.heat.function.Calls;
import dev.strake.heat.function.Expression;
import dev.strake.heat.python.PythonText;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks the references between the resources of a stack: missing targets and cycles. */
final class ReferenceCheck {

    /** The maximum number of cycle members in a message, and of targets for each member. */
    private static final int MOST_SHOWN = 50;

    private final Stack stack;
    private final Faults faults;
    private final Map<String, Set<String>> targets = new HashMap<>();

    ReferenceCheck(Stack stack, Faults faults) {
        this.stack = stack;
        this.faults = faults;
    }

    void check() {
        stack.enabled().values().forEach(this::resource);
        cycle();
    }

    private void resource(Resource resource) {
        Set<String> reached = new LinkedHashSet<>();
        targets.put(resource.name(), reached);
        for (String name : resource.clauses().dependsOn()) {
            if (stack.enabled().containsKey(name)) {
                reached.add(name);
            } else if (!stack.resources().containsKey(name)) {
                report(name, resource.name(), ".resources." + resource.name() + ".depends_on");
            }
        }
        resource.properties().values().forEach(each -> calls(resource, each, reached));
        resource.clauses().rest().forEach(each -> calls(resource, each, reached));
    }

    private void calls(Resource resource, Expression expression, Set<String> reached) {
        for (Expression.Call call : Calls.in(expression, stack)) {
            String name = target(call);
            if (name != null && stack.enabled().containsKey(name)) {
                reached.add(name);
            } else if (name != null) {
                report(name, resource.name() + below(resource, call.path()), "." + call.path());
            }
        }
    }

    /* Returns the place of a call in a resource, as in Heat's message. */
    private static String below(Resource resource, String path) {
        String itself = "resources." + resource.name();
        int call = path.lastIndexOf('.');
        return !path.startsWith(itself) || call < itself.length() // the path was cut, because the name is too long
                ? ""
                : path.substring(itself.length(), call)
                        .replaceFirst("^\\.properties", ".Properties")
                        .replaceFirst("^\\.metadata", ".Metadata");
    }

    /* Returns the resource that a call refers to; null if there is none. */
    private String target(Expression.Call call) {
        boolean refers = call.name().equals("get_resource") || call.name().equals("get_attr");
        List<String> words = refers ? Calls.words(call.argument()) : List.of();
        boolean other = refers
                && call.argument() instanceof Expression.Constant constant
                && !(constant.value() instanceof ListValue || constant.value() instanceof MapValue);
        return !words.isEmpty()
                ? words.get(0)
                : other ? PythonText.str(((Expression.Constant) call.argument()).value()) : null;
    }

    private void report(String name, String where, String place) {
        Fault fault = Fault.raised(
                FaultCode.BAD_REFERENCE,
                "InvalidTemplateReference",
                "The specified reference \"" + name + "\" (in " + where + ") is incorrect.");
        faults.report(fault.in(stack.file(), place));
    }

    /** Checks an output. Heat only checks its attributes. */
    void output(Expression value) {
        for (Expression.Call call : Calls.in(value, stack)) {
            String name = call.name().equals("get_attr") ? target(call) : null;
            if (name != null && !stack.enabled().containsKey(name)) {
                faults.report(Fault.at(
                                FaultCode.BAD_REFERENCE,
                                List.of(call.path()),
                                "The specified reference \"" + name + "\" (in unknown) is incorrect.")
                        .in(stack.file(), "." + call.path()));
            }
        }
    }

    /* Removes resources without open dependencies, one by one. The remaining resources contain a cycle. */
    private void cycle() {
        Map<String, Integer> open = new HashMap<>();
        Map<String, List<String>> dependents = new HashMap<>();
        Deque<String> free = new ArrayDeque<>();
        targets.forEach((name, reached) -> {
            open.put(name, reached.size());
            reached.forEach(target -> dependents
                    .computeIfAbsent(target, none -> new ArrayList<>())
                    .add(name));
            if (reached.isEmpty()) {
                free.add(name);
            }
        });
        Set<String> left = new LinkedHashSet<>(stack.enabled().keySet());
        while (!free.isEmpty()) {
            String name = free.poll();
            left.remove(name);
            for (String dependent : dependents.getOrDefault(name, List.of())) {
                if (open.merge(dependent, -1, Integer::sum) == 0) {
                    free.add(dependent);
                }
            }
        }
        if (!left.isEmpty()) {
            String first = left.iterator().next();
            String shown = left.stream()
                    .limit(MOST_SHOWN)
                    .map(name -> "'" + name + "': "
                            + targets.get(name).stream()
                                    .filter(left::contains)
                                    .limit(MOST_SHOWN)
                                    .toList())
                    .collect(Collectors.joining(", ", "{", "}"));
            faults.report(Fault.raised(
                            FaultCode.DEPENDENCY_CYCLE,
                            "CircularDependencyException",
                            "Circular Dependency Found: " + shown)
                    .in(stack.file(), ".resources." + first));
        }
    }
}
