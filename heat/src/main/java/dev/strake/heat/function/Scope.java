package dev.strake.heat.function;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.Value;

/** The view that functions have of the stack in which they are evaluated. */
public interface Scope {

    /**
     * Returns the value of a parameter or pseudo parameter.
     *
     * @throws UnresolvedException if the parameter does not exist or is not set
     */
    Value parameter(String name);

    /**
     * Whether a condition holds.
     *
     * @param condition a name or a boolean
     * @throws UnresolvedException if the condition does not exist or cannot be evaluated
     */
    boolean holds(Value condition);

    /**
     * Returns the content of a file.
     *
     * @throws UnresolvedException if the file does not exist
     */
    String file(String name);

    /** Whether an enabled resource has this name. */
    boolean hasResource(String name);

    /** Returns how often a hidden parameter, or a value derived from one, was read so far. */
    int secretsRead();

    /** Returns the budget for the work of evaluation. */
    Budget budget();
}
