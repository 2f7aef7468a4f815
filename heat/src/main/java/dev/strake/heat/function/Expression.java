package dev.strake.heat.function;

import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Fault;
import java.util.List;

/**
 * A value of a template with its function calls. It is read once for each template, and evaluated for each stack of the
 * template.
 */
public sealed interface Expression {

    /** Whether the expression contains no calls and no errors. */
    default boolean isConstant() {
        return this instanceof Constant;
    }

    /** A value without calls. */
    record Constant(Value value) implements Expression {}

    /** A list that contains calls. */
    record Items(List<Expression> items) implements Expression {}

    /** A mapping that contains calls. */
    record Entries(List<String> keys, List<Expression> values) implements Expression {

        /** Returns the value of a key; null if there is none. */
        public Expression get(String key) {
            int index = keys.indexOf(key);
            return index < 0 ? null : values.get(index);
        }
    }

    /**
     * A function call.
     *
     * @param path the place, as in Heat: {@code resources.R.properties.P.list_join}
     */
    record Call(Function function, String name, Expression argument, String path) implements Expression {}

    /**
     * A choice. Only the chosen branch is checked, so errors in the other branch are ignored.
     *
     * @param otherwise null if the choice yields nothing when the condition does not hold
     */
    record If(Expression condition, Expression then, Expression otherwise, String path) implements Expression {}

    /** An invalid expression. */
    record Broken(Fault fault) implements Expression {}
}
