package dev.strake.heat.function;

import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Fault;
import java.util.List;

/**
 * A value of a template in which calls of functions are known as such. It is read once for a template, and evaluated
 * for each stack that is made from it.
 */
public sealed interface Expression {

    /** Whether there is nothing to evaluate below, and nothing wrong. */
    default boolean isConstant() {
        return this instanceof Constant;
    }

    /** A value without calls. */
    record Constant(Value value) implements Expression {}

    /** A list with calls somewhere in it. */
    record Items(List<Expression> items) implements Expression {}

    /** A mapping with calls somewhere in it. */
    record Entries(List<String> keys, List<Expression> values) implements Expression {

        /** What a key has; null if there is no such key. */
        public Expression get(String key) {
            int index = keys.indexOf(key);
            return index < 0 ? null : values.get(index);
        }
    }

    /**
     * A call.
     *
     * @param path where it is, as Heat writes it: {@code resources.R.properties.P.list_join}
     */
    record Call(Function function, String name, Expression argument, String path) implements Expression {}

    /**
     * A choice. Only the branch that is chosen is read, so a mistake in the other one is none.
     *
     * @param otherwise null if there is nothing where the condition does not hold
     */
    record If(Expression condition, Expression then, Expression otherwise, String path) implements Expression {}

    /** Something that cannot be read. */
    record Broken(Fault fault) implements Expression {}
}
