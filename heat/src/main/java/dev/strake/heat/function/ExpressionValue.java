package dev.strake.heat.function;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import java.util.ArrayList;
import java.util.List;

/** Evaluates expressions. */
public final class ExpressionValue {

    /** Far above any real value; only repeated expansion by functions reaches this size. */
    private static final long MOST_BYTES = 8L << 20;

    private ExpressionValue() {}

    /**
     * Evaluates an expression. Returns null if it yields nothing.
     *
     * @throws UnresolvedException if the expression has no value
     * @throws FaultException if the value is too large
     */
    public static Value of(Expression expression, Scope scope) {
        return of(expression, scope, false);
    }

    /**
     * Evaluates an expression, but replaces a call by null if its parameter is not set. Used for the definitions of
     * group members.
     */
    public static Value tolerant(Expression expression, Scope scope) {
        return of(expression, scope, true);
    }

    private static Value of(Expression expression, Scope scope, boolean tolerant) {
        if (expression instanceof Expression.Constant constant) {
            return constant.value();
        }
        scope.budget().spend(1);
        if (expression instanceof Expression.Call call) {
            return call(call, scope, tolerant);
        }
        if (expression instanceof Expression.If choice) {
            Expression chosen = chosen(choice, scope);
            return chosen == null ? null : of(chosen, scope, tolerant);
        }
        if (expression instanceof Expression.Items items) {
            List<Value> values = new ArrayList<>(items.items().size());
            for (Expression item : items.items()) {
                Value value = of(item, scope, tolerant);
                if (value != null) {
                    values.add(value);
                }
            }
            return ListValue.of(values);
        }
        if (expression instanceof Expression.Entries entries) {
            MapValue.Builder map = MapValue.builder();
            for (int i = 0; i < entries.keys().size(); i++) {
                Value value = of(entries.values().get(i), scope, tolerant);
                if (value != null) {
                    map.put(entries.keys().get(i), value);
                }
            }
            return map.build();
        }
        throw new UnresolvedException(((Expression.Broken) expression).fault().text());
    }

    private static Value call(Expression.Call call, Scope scope, boolean tolerant) {
        int secrets = scope.secretsRead();
        try {
            Value arguments = of(call.argument(), scope, false);
            Value value = call.function().apply(call.name(), arguments == null ? Null.NULL : arguments, scope);
            if (value != null && value.weight() > MOST_BYTES) {
                throw tooLarge("the value of " + call.name() + " takes more than " + MOST_BYTES + " bytes");
            }
            return value;
        } catch (UnresolvedException e) {
            if (tolerant && e.isTolerable()) {
                return Null.NULL;
            }
            throw scope.secretsRead() > secrets ? e.masked() : e;
        }
    }

    /** The value of a function is too large. This is a fault, because later values cannot fix it. */
    static FaultException tooLarge(String message) {
        return new FaultException(Fault.raised(FaultCode.LIMIT, "RequestLimitExceeded", message));
    }

    /** Returns the chosen branch of a choice; null if it yields nothing. */
    public static Expression chosen(Expression.If choice, Scope scope) {
        return holds(choice.condition(), scope) ? choice.then() : choice.otherwise();
    }

    public static boolean holds(Expression condition, Scope scope) {
        Value value = of(condition, scope);
        return condition.isConstant() ? scope.holds(value) : Bool.TRUE.equals(value);
    }
}
