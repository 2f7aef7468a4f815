package dev.strake.heat.function;

import dev.strake.engine.tree.Text;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Finds the calls in an expression. For a choice, only the chosen branch counts. */
public final class Calls {

    private final Scope scope;
    private final List<Expression.Call> found = new ArrayList<>();
    private final Consumer<Fault> faults;

    private Calls(Scope scope, Consumer<Fault> faults) {
        this.scope = scope;
        this.faults = faults;
    }

    /** Returns all calls, outer ones first. Skips broken expressions. */
    public static List<Expression.Call> in(Expression expression, Scope scope) {
        Calls calls = new Calls(scope, fault -> {});
        calls.look(expression);
        return calls.found;
    }

    /** Reports broken expressions, and conditions that cannot be evaluated. */
    public static void check(Expression expression, Scope scope, Consumer<Fault> faults) {
        new Calls(scope, faults).look(expression);
    }

    private void look(Expression expression) {
        scope.budget().spend(1);
        if (expression instanceof Expression.Items items) {
            items.items().forEach(this::look);
        } else if (expression instanceof Expression.Entries entries) {
            entries.values().forEach(this::look);
        } else if (expression instanceof Expression.Call call) {
            found.add(call);
            look(call.argument());
        } else if (expression instanceof Expression.Broken broken) {
            faults.accept(broken.fault());
        } else if (expression instanceof Expression.If choice) {
            look(choice);
        }
    }

    private void look(Expression.If choice) {
        if (choice.condition() instanceof Expression.Broken broken) {
            faults.accept(broken.fault());
            return;
        }
        Expression chosen;
        try {
            chosen = ExpressionValue.chosen(choice, scope);
        } catch (UnresolvedException e) {
            faults.accept(e.toFault(FaultCode.CONDITION, List.of(choice.path())).in(null, "." + choice.path()));
            return;
        } catch (FaultException e) {
            faults.accept(e.fault());
            return;
        }
        if (chosen != null) {
            look(chosen);
        }
    }

    /** Returns the items of an argument that are texts, and null for other items. A single text counts as a list. */
    public static List<String> words(Expression argument) {
        String alone = Arguments.text(argument);
        if (alone != null) {
            return List.of(alone);
        }
        List<Expression> items = Arguments.items(argument);
        List<String> words = new ArrayList<>();
        for (Expression item : items == null ? List.<Expression>of() : items) {
            words.add(
                    item instanceof Expression.Constant constant && constant.value() instanceof Text text
                            ? text.value()
                            : null);
        }
        return words;
    }
}
