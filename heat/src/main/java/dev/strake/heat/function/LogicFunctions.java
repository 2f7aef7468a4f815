package dev.strake.heat.function;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import dev.strake.heat.python.PythonText;
import java.util.List;

/** Functions of conditions. */
final class LogicFunctions {

    private LogicFunctions() {}

    static final Function EQUALS = Function.of(
            (name, argument) -> Arguments.isPair(argument)
                    ? null
                    : "Arguments to \"" + name + "\" must be of the form: [value_1, value_2]",
            LogicFunctions::areEqual);

    private static Value areEqual(String name, Value arguments, Scope scope) {
        ListValue list = (ListValue) arguments;
        Value one = Arguments.item(list, 0);
        scope.budget().spendJson(one);
        return Bool.of(Python.equal(one, Arguments.item(list, 1)));
    }

    static final Function NOT = Function.of(
            (name, argument) -> argument instanceof Expression.Constant constant
                            && !(constant.value() instanceof Text || constant.value() instanceof Bool)
                    ? "Invalid condition " + PythonText.repr(constant.value())
                    : null,
            (name, arguments, scope) -> Bool.of(!scope.holds(arguments)));

    static final Function AND = connective(true);

    static final Function OR = connective(false);

    private static Function connective(boolean all) {
        return Function.of(LogicFunctions::complaintOfConnective, (name, arguments, scope) -> {
            for (Value item : ((ListValue) arguments).items()) {
                if (scope.holds(item) != all) {
                    return Bool.of(!all);
                }
            }
            return Bool.of(all);
        });
    }

    private static String complaintOfConnective(String name, Expression argument) {
        List<Expression> items = Arguments.items(argument);
        if (items == null) {
            return "Arguments to \"" + name + "\" must be a list of conditions";
        }
        return items.size() < 2 ? "The minimum number of condition arguments to \"" + name + "\" is 2." : null;
    }
}
