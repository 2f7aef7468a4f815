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

    static final Function EQUALS = new Function() {

        @Override
        public String complaint(String name, Expression argument) {
            List<Expression> items = Arguments.items(argument);
            return items != null && items.size() == 2
                    ? null
                    : "Arguments to \"" + name + "\" must be of the form: [value_1, value_2]";
        }

        @Override
        public Value apply(String name, Value arguments, Scope scope) {
            ListValue list = (ListValue) arguments;
            Value one = Arguments.item(list, 0);
            scope.budget().spendJson(one);
            return Bool.of(Python.equal(one, Arguments.item(list, 1)));
        }
    };

    static final Function NOT = new Function() {

        @Override
        public String complaint(String name, Expression argument) {
            return argument instanceof Expression.Constant constant
                            && !(constant.value() instanceof Text || constant.value() instanceof Bool)
                    ? "Invalid condition " + PythonText.repr(constant.value())
                    : null;
        }

        @Override
        public Value apply(String name, Value arguments, Scope scope) {
            return Bool.of(!scope.holds(arguments));
        }
    };

    static final Function AND = connective(true);

    static final Function OR = connective(false);

    private static Function connective(boolean all) {
        return new Function() {

            @Override
            public String complaint(String name, Expression argument) {
                List<Expression> items = Arguments.items(argument);
                if (items == null) {
                    return "Arguments to \"" + name + "\" must be a list of conditions";
                }
                return items.size() < 2 ? "The minimum number of condition arguments to \"" + name + "\" is 2." : null;
            }

            @Override
            public Value apply(String name, Value arguments, Scope scope) {
                for (Value item : ((ListValue) arguments).items()) {
                    if (scope.holds(item) != all) {
                        return Bool.of(!all);
                    }
                }
                return Bool.of(all);
            }
        };
    }
}
