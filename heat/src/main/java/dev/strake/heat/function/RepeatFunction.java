package dev.strake.heat.function;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The function {@code repeat}: expands a template for each item of a list, or for each combination of several lists.
 *
 * @param maps whether a mapping may replace a list; its keys are the items
 * @param permutations whether combinations can be disabled
 */
record RepeatFunction(boolean maps, boolean permutations) implements Function {

    private static final int MOST_ITEMS = 1_000_000;

    @Override
    public String complaint(String name, Expression argument) {
        List<String> keys = Arguments.keys(argument);
        if (keys == null) {
            return Arguments.isOpen(argument) ? null : "Arguments to \"" + name + "\" must be a map";
        }
        if (!keys.contains("template") || !keys.contains("for_each")) {
            return "\"" + name + "\" syntax should be " + name
                    + ": template: This is %var% for_each: %var%: ['a', 'b', 'c']";
        }
        Expression all = permutations ? Arguments.entry(argument, "permutations") : null;
        boolean fits = all == null
                || Arguments.isOpen(all)
                || (all instanceof Expression.Constant constant && constant.value() instanceof Bool);
        return fits ? null : "\"permutations\" should be boolean type for " + name + " function.";
    }

    @Override
    public String lateComplaint(String name, Expression argument) {
        Expression lists = Arguments.entry(argument, "for_each");
        return lists == null || Arguments.isDynamic(lists) || Arguments.keys(lists) != null
                ? null
                : "The \"for_each\" argument to \"" + name + "\" must contain a map";
    }

    @Override
    public Value apply(String name, Value arguments, Scope scope) {
        MapValue map = arguments instanceof MapValue all ? all : MapValue.EMPTY;
        Value template = map.has("template") ? map.get("template") : Null.NULL;
        if (!(map.get("for_each") instanceof MapValue lists) || lists.isEmpty()) {
            throw new UnresolvedException("The \"for_each\" argument to \"" + name + "\" must contain a map");
        }
        List<ListValue> each = new ArrayList<>();
        lists.forEach((key, list) -> each.add(list(name, list)));
        boolean all = !permutations || !Bool.FALSE.equals(map.get("permutations"));
        long count = all ? 1 : each.get(0).size();
        for (ListValue list : each) {
            if (!all && list.size() != count) {
                throw new UnresolvedException("The length of lists in for_each must be equal if no permutations");
            }
            count = all ? count * list.size() : count;
            if (count > MOST_ITEMS) {
                throw ExpressionValue.tooLarge("\"" + name + "\" makes more than " + MOST_ITEMS + " items");
            }
        }
        scope.budget().spend(count);
        List<Value> items = new ArrayList<>();
        long weight = 0;
        Value[] values = new Value[each.size()];
        for (int i = 0; i < count; i++) {
            int rest = i;
            for (int k = each.size() - 1; k >= 0; k--) { // the last list changes fastest
                values[k] = each.get(k).get(all ? rest % each.get(k).size() : i);
                rest = all ? rest / each.get(k).size() : rest;
            }
            Value item = filled(name, template, lists.keys(), values, scope);
            weight += item.weight();
            TextFunctions.requireRoom(weight);
            items.add(item);
        }
        return ListValue.of(items);
    }

    private ListValue list(String name, Value value) {
        if (value instanceof Null) {
            return ListValue.EMPTY;
        }
        if (value instanceof ListValue list) {
            return list;
        }
        if (maps && value instanceof MapValue map) {
            return ListValue.of(map.keys().stream().map(Text::new).toList());
        }
        throw new UnresolvedException("The values of the \"for_each\" argument to \"" + name + "\" must be lists");
    }

    private Value filled(String name, Value template, List<String> keys, Value[] values, Scope scope) {
        scope.budget().spend(1);
        if (template instanceof Text text) {
            return new Text(filled(name, text.value(), keys, values, scope));
        }
        if (template instanceof ListValue list) {
            return ListValue.of(list.items().stream()
                    .map(item -> filled(name, item, keys, values, scope))
                    .toList());
        }
        if (template instanceof MapValue map) {
            MapValue.Builder result = MapValue.builder();
            map.forEach((key, value) ->
                    result.put(filled(name, key, keys, values, scope), filled(name, value, keys, values, scope)));
            return result.build();
        }
        return template;
    }

    private static String filled(String name, String text, List<String> keys, Value[] values, Scope scope) {
        String result = text;
        for (int i = 0; i < values.length; i++) {
            if (keys.get(i).isEmpty() || !result.contains(keys.get(i))) {
                continue;
            }
            if (!(values[i] instanceof Text value)) {
                throw new UnresolvedException("replace() argument 2 must be str: quote the items of \"" + name + "\"");
            }
            long places = result.split(Pattern.quote(keys.get(i)), -1).length - 1L;
            long length = result.length() + places * value.value().length();
            scope.budget().spendText(length);
            TextFunctions.requireRoom(length);
            result = result.replace(keys.get(i), value.value());
        }
        return result;
    }
}
