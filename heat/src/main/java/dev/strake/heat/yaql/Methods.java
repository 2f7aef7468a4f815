package dev.strake.heat.yaql;

import static dev.strake.heat.yaql.Operands.at;
import static dev.strake.heat.yaql.Operands.contains;
import static dev.strake.heat.yaql.Operands.decimal;
import static dev.strake.heat.yaql.Operands.flatten;
import static dev.strake.heat.yaql.Operands.floor;
import static dev.strake.heat.yaql.Operands.items;
import static dev.strake.heat.yaql.Operands.map;
import static dev.strake.heat.yaql.Operands.number;
import static dev.strake.heat.yaql.Operands.text;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import dev.strake.heat.python.PythonText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Methods that take evaluated arguments: of any value, of lists and of mappings. */
final class Methods {

    private Methods() {}

    static Value call(Value receiver, String name, List<Value> arguments, Budget budget) {
        budget.spendJson(receiver);
        return switch (name) {
            case "str" -> new Text(PythonText.str(receiver));
            case "int" -> Num.ofLiteral(floor(decimal(receiver)).toString());
            case "len" ->
                Num.of(
                        receiver instanceof Text text
                                ? text.value().length()
                                : items(receiver).size());
            case "isEmpty" -> Bool.of(isEmpty(receiver));
            case "bool" -> Bool.of(Python.isTrue(receiver));
            case "not" -> Bool.of(!Python.isTrue(receiver));
            case "isList" -> Bool.of(receiver instanceof ListValue);
            case "isDict" -> Bool.of(receiver instanceof MapValue);
            case "isString" -> Bool.of(receiver instanceof Text);
            case "isNumber", "isInteger" -> Bool.of(receiver instanceof Num);
            case "isBoolean" -> Bool.of(receiver instanceof Bool);
            case "keys" ->
                ListValue.of(map(receiver).keys().stream().map(Text::new).toList());
            case "values" -> {
                MapValue map = map(receiver);
                List<Value> all = new ArrayList<>();
                map.forEach((key, value) -> all.add(value));
                yield ListValue.of(all);
            }
            case "items" -> {
                List<Value> all = new ArrayList<>();
                map(receiver).forEach((key, value) -> all.add(ListValue.of(new Text(key), value)));
                yield ListValue.of(all);
            }
            case "toList" -> ListValue.of(items(receiver));
            case "containsKey" -> Bool.of(map(receiver).has(text(at(arguments, 0, name))));
            case "contains" -> Bool.of(contains(receiver, at(arguments, 0, name), budget));
            case "flatten" -> {
                List<Value> all = new ArrayList<>();
                flatten(receiver, all);
                yield ListValue.of(all);
            }
            case "distinct" -> {
                List<Value> kept = new ArrayList<>();
                for (Value item : items(receiver)) {
                    budget.spend(kept.size());
                    if (kept.stream().noneMatch(other -> Python.equal(other, item))) {
                        kept.add(item);
                    }
                }
                yield ListValue.of(kept);
            }
            case "reverse" -> {
                List<Value> all = new ArrayList<>(items(receiver));
                Collections.reverse(all);
                yield ListValue.of(all);
            }
            case "orderBy", "order" -> {
                List<Value> all = new ArrayList<>(items(receiver));
                all.sort(Operands::compare);
                yield ListValue.of(all);
            }
            case "sum" -> {
                BigDecimal sum = BigDecimal.ZERO;
                for (Value item : items(receiver)) {
                    sum = sum.add(decimal(item));
                }
                yield number(sum, Num.of(0), Num.of(0));
            }
            case "max" -> items(receiver).stream().max(Operands::compare).orElse(Null.NULL);
            case "min" -> items(receiver).stream().min(Operands::compare).orElse(Null.NULL);
            case "append" -> {
                List<Value> all = new ArrayList<>(items(receiver));
                all.addAll(arguments);
                yield ListValue.of(all);
            }
            case "set" -> map(receiver).with(text(at(arguments, 0, name)), at(arguments, 1, name));
            case "mergeWith" -> map(receiver).mergedWith(map(at(arguments, 0, name)), budget::spend);
            default -> TextMethods.call(receiver, name, arguments, budget);
        };
    }

    /* A blank text counts as empty, and so does null. */
    private static boolean isEmpty(Value value) {
        if (value instanceof Text text) {
            return text.value().isBlank();
        }
        return value instanceof Null || items(value).isEmpty();
    }
}
