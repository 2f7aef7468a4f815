package dev.strake.heat.function;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.Value;

/** What the functions of a template see of the stack that is made from it. */
public interface Scope {

    /**
     * The value of a parameter or pseudo parameter.
     *
     * @throws UnresolvedException if there is no such parameter, or none has set it
     */
    Value parameter(String name);

    /**
     * Whether a condition holds.
     *
     * @param condition a name or a boolean
     * @throws UnresolvedException if there is no such condition, or it cannot be evaluated
     */
    boolean holds(Value condition);

    /**
     * The content of a file.
     *
     * @throws UnresolvedException if there is no such file
     */
    String file(String name);

    /** Whether there is a resource of this name that no condition switches off. */
    boolean hasResource(String name);

    /** How often the value of a hidden parameter, or what comes from one, was read so far. */
    int secretsRead();

    /** Counts the work of evaluating. */
    Budget budget();
}
