package dev.strake.heat.yaql;

import dev.strake.engine.tree.Value;
import java.util.List;

/** A node of an expression. */
sealed interface YaqlNode {

    record Literal(Value value) implements YaqlNode {}

    /** {@code $}, {@code $1}, {@code $name}. */
    record Variable(String name) implements YaqlNode {}

    /** {@code receiver.name}: an attribute. */
    record Member(YaqlNode receiver, String name, boolean safe) implements YaqlNode {}

    /**
     * A call of a function, or of a method if there is a receiver.
     *
     * @param names the names of the arguments; null for arguments without a name
     */
    record Call(YaqlNode receiver, String name, List<String> names, List<YaqlNode> arguments, boolean safe)
            implements YaqlNode {}

    record Index(YaqlNode receiver, List<YaqlNode> arguments) implements YaqlNode {}

    record ListOf(List<YaqlNode> items) implements YaqlNode {}

    record MapOf(List<YaqlNode> keys, List<YaqlNode> values) implements YaqlNode {}

    record Unary(String operator, YaqlNode operand) implements YaqlNode {}

    record Binary(String operator, YaqlNode left, YaqlNode right) implements YaqlNode {}
}
