package dev.strake.heat.template;

import dev.strake.heat.parameter.Registry;
import java.util.HashSet;
import java.util.Set;

/** What implements a resource. */
sealed interface Implementation {

    /** One of Heat's own types. */
    record BuiltIn(ResourceType type) implements Implementation {}

    /**
     * A template.
     *
     * @param entry the mapping that leads to the template
     */
    record Nested(String file, Registry.Entry entry) implements Implementation {}

    /** No implementation: no mapping leads to a known type. */
    record Unknown(boolean endless) implements Implementation {}

    /** Returns Heat's own type; null for other implementations. */
    default ResourceType builtIn() {
        return this instanceof BuiltIn own ? own.type : null;
    }

    /** Longer chains of mappings are treated as endless. */
    int LONGEST = 100;

    /** Finds the implementation of a resource. The mappings that lead to it are added to those used. */
    static Implementation find(Stack stack, String type, String resource, Set<Registry.Entry> used) {
        return find(stack, type, resource, used, new HashSet<>());
    }

    private static Implementation find(
            Stack stack, String type, String resource, Set<Registry.Entry> used, Set<String> asked) {
        if (!asked.add(type) || asked.size() > LONGEST) {
            return new Implementation.Unknown(true);
        }
        stack.budget().spend(20);
        boolean endless = false;
        for (Registry.Entry entry : stack.candidates(type, resource)) {
            if (entry.isFile()) {
                used.add(entry);
                return new Implementation.Nested(entry.file(), entry);
            }
            Implementation found = find(stack, entry.apply(type), resource, used, asked);
            if (found instanceof Implementation.Unknown unknown) {
                endless |= unknown.endless();
            } else {
                used.add(entry);
                return found;
            }
        }
        asked.remove(type);
        ResourceType builtIn = ResourceType.of(type);
        return builtIn == null || endless ? new Implementation.Unknown(endless) : new Implementation.BuiltIn(builtIn);
    }
}
