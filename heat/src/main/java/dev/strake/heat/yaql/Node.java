package dev.strake.heat.yaql;

import dev.strake.engine.tree.Value;
import java.util.List;

/** A part of an expression. */
sealed interface Node {

    record Literal(Value value) implements Node {}

    /** {@code $}, {@code $1}, {@code $name}. */
    record Variable(String name) implements Node {}

    /** {@code receiver.name}: an attribute. */
    record Member(Node receiver, String name, boolean safe) implements Node {}

    /**
     * A call of a function, or of a method if it has a receiver.
     *
     * @param names the names of the arguments that have one; null for the others
     */
    record Call(Node receiver, String name, List<String> names, List<Node> arguments, boolean safe) implements Node {}

    record Index(Node receiver, List<Node> arguments) implements Node {}

    record ListOf(List<Node> items) implements Node {}

    record MapOf(List<Node> keys, List<Node> values) implements Node {}

    record Unary(String operator, Node operand) implements Node {}

    record Binary(String operator, Node left, Node right) implements Node {}
}
