package dev.strake.heat.yaql;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A parsed expression. */
public final class Yaql {

    private static final int LONGEST = 10_000;

    private final YaqlNode root;

    private Yaql(YaqlNode root) {
        this.root = root;
    }

    /**
     * Parses an expression.
     *
     * @throws YaqlException if it is invalid
     */
    public static Yaql of(String text) {
        if (text.length() > LONGEST) {
            throw new YaqlException("the expression is longer than " + LONGEST + " characters");
        }
        return new Yaql(new Parser(text).parse());
    }

    /**
     * Evaluates the expression.
     *
     * @param data the value of {@code $}
     * @throws YaqlException if there is no value, or if the expression uses an unsupported function
     */
    public Value apply(Value data, Budget budget) {
        return new Run(budget).value(root, Map.of("", data));
    }

    /** A single evaluation. Variables are stored by name, without the dollar; the empty name is the current item. */
    record Run(Budget budget) {

        Value value(YaqlNode node, Map<String, Value> variables) {
            budget.spend(1);
            Value value = any(node, variables);
            Operands.requireRoom(value.weight());
            return value;
        }

        private Value any(YaqlNode node, Map<String, Value> variables) {
            if (node instanceof YaqlNode.Literal literal) {
                return literal.value();
            }
            if (node instanceof YaqlNode.Variable variable) {
                String name = variable.name().equals("1") && !variables.containsKey("1") ? "" : variable.name();
                return variables.getOrDefault(name, Null.NULL);
            }
            if (node instanceof YaqlNode.Member member) {
                return member(value(member.receiver(), variables), member);
            }
            if (node instanceof YaqlNode.Call call) {
                return Library.call(this, call, variables);
            }
            if (node instanceof YaqlNode.Index index) {
                return index(value(index.receiver(), variables), index, variables);
            }
            if (node instanceof YaqlNode.ListOf list) {
                return ListValue.of(list.items().stream()
                        .map(item -> value(item, variables))
                        .toList());
            }
            if (node instanceof YaqlNode.MapOf map) {
                MapValue.Builder result = MapValue.builder();
                for (int i = 0; i < map.keys().size(); i++) {
                    result.put(
                            Operands.text(value(map.keys().get(i), variables)),
                            value(map.values().get(i), variables));
                }
                return result.build();
            }
            if (node instanceof YaqlNode.Unary unary) {
                return unary(unary, variables);
            }
            return binary((YaqlNode.Binary) node, variables);
        }

        private Value member(Value receiver, YaqlNode.Member member) {
            if (receiver instanceof MapValue map) {
                if (map.has(member.name())) {
                    return map.get(member.name());
                }
                if (member.safe()) {
                    return Null.NULL;
                }
                throw new YaqlException("there is no key " + member.name());
            }
            if (receiver instanceof ListValue list) { // an attribute of a list yields those of its items
                List<Value> values = new ArrayList<>();
                for (Value item : list.items()) {
                    values.add(member(item, member));
                }
                return ListValue.of(values);
            }
            if (receiver instanceof Null && member.safe()) {
                return Null.NULL;
            }
            throw new YaqlException(receiver.kindWithArticle() + " has no key " + member.name());
        }

        private Value index(Value receiver, YaqlNode.Index index, Map<String, Value> variables) {
            if (index.arguments().isEmpty()) {
                throw new YaqlException("the index is missing in the brackets");
            }
            if (receiver instanceof MapValue map) {
                String key = Operands.text(value(index.arguments().get(0), variables));
                if (map.has(key)) {
                    return map.get(key);
                }
                if (index.arguments().size() > 1) {
                    return value(index.arguments().get(1), variables);
                }
                throw new YaqlException("there is no key " + key);
            }
            if (receiver instanceof ListValue list) {
                if (value(index.arguments().get(0), variables) instanceof Num num && num.isInteger()) {
                    int at = num.nearestInt() < 0 ? num.nearestInt() + list.size() : num.nearestInt();
                    if (at >= 0 && at < list.size()) {
                        return list.get(at);
                    }
                }
                throw new YaqlException("list index out of range");
            }
            throw new YaqlException(receiver.kindWithArticle() + " has no items");
        }

        private Value unary(YaqlNode.Unary unary, Map<String, Value> variables) {
            Value value = value(unary.operand(), variables);
            if (unary.operator().equals("not")) {
                return Bool.of(!Python.isTrue(value));
            }
            BigDecimal number = Operands.decimal(value);
            return Operands.number(unary.operator().equals("-") ? number.negate() : number, value, value);
        }

        private Value binary(YaqlNode.Binary binary, Map<String, Value> variables) {
            String operator = binary.operator();
            if (operator.equals("->")) {
                return value(binary.right(), Library.let(this, binary.left(), variables));
            }
            Value left = value(binary.left(), variables);
            if (operator.equals("and")) {
                return Python.isTrue(left) ? value(binary.right(), variables) : left;
            }
            if (operator.equals("or")) {
                return Python.isTrue(left) ? left : value(binary.right(), variables);
            }
            Value right = value(binary.right(), variables);
            return switch (operator) {
                case "=" -> Bool.of(Python.equal(left, right));
                case "!=" -> Bool.of(!Python.equal(left, right));
                case "<" -> Bool.of(Operands.compare(left, right) < 0);
                case "<=" -> Bool.of(Operands.compare(left, right) <= 0);
                case ">" -> Bool.of(Operands.compare(left, right) > 0);
                case ">=" -> Bool.of(Operands.compare(left, right) >= 0);
                case "in" -> Bool.of(Operands.contains(right, left, budget));
                case "=~" -> Bool.of(TextMethods.matches(left, right, budget));
                case "!~" -> Bool.of(!TextMethods.matches(left, right, budget));
                case "+" -> plus(left, right);
                default -> arithmetic(operator, left, right);
            };
        }

        private Value plus(Value left, Value right) {
            budget.spendJson(left);
            budget.spendJson(right);
            Operands.requireRoom(left.weight() + right.weight());
            if (left instanceof Text a && right instanceof Text b) {
                return new Text(a.value() + b.value());
            }
            if (left instanceof ListValue a && right instanceof ListValue b) {
                List<Value> both = new ArrayList<>(a.items());
                both.addAll(b.items());
                return ListValue.of(both);
            }
            if (left instanceof MapValue a && right instanceof MapValue b) {
                return a.updatedWith(b);
            }
            return arithmetic("+", left, right);
        }

        private static Value arithmetic(String operator, Value left, Value right) {
            BigDecimal a = Operands.decimal(left);
            BigDecimal b = Operands.decimal(right);
            if ((operator.equals("/") || operator.equals("mod")) && b.signum() == 0) {
                throw new YaqlException("division by zero");
            }
            boolean integers = left instanceof Num x && x.isInteger() && right instanceof Num y && y.isInteger();
            BigDecimal result = switch (operator) {
                case "+" -> a.add(b);
                case "-" -> a.subtract(b);
                case "*" -> a.multiply(b);
                case "/" ->
                    integers
                            ? new BigDecimal(Operands.floor(a.divide(b, MathContext.DECIMAL128)))
                            : a.divide(b, MathContext.DECIMAL64);
                default -> a.subtract(b.multiply(new BigDecimal(Operands.floor(a.divide(b, MathContext.DECIMAL128)))));
            };
            return Operands.number(result, left, right);
        }
    }
}
