package dev.strake.heat.function;

import dev.strake.engine.tree.Value;

/** A function of HOT. */
public interface Function {

    /**
     * What is wrong with the shape of the arguments of a call, as far as the template alone tells; null if nothing is.
     *
     * @param argument with calls inside already read
     */
    default String complaint(String name, Expression argument) {
        return null;
    }

    /**
     * What is wrong with the content of the arguments, which Heat checks later than their shape; null if nothing is.
     */
    default String lateComplaint(String name, Expression argument) {
        return null;
    }

    /**
     * The value of a call.
     *
     * @param arguments already evaluated
     * @throws UnresolvedException if there is none
     */
    Value apply(String name, Value arguments, Scope scope);
}
