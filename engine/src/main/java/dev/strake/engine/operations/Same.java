package dev.strake.engine.operations;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.Container;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/** Compares values for a test operation: like equality, but decimals are compared by value, not as written. */
final class Same {

    private Same() {}

    static boolean same(Value one, Value other, Budget budget) {
        budget.spend(1);
        if (Text.isSealed(one) || Text.isSealed(other)) {
            return true; // sealed values may be equal
        }
        if (one instanceof Num a && other instanceof Num b && !a.isInteger() && !b.isInteger()) {
            return Double.parseDouble(a.literal()) == Double.parseDouble(b.literal()); // go-patch compares doubles
        }
        if (one instanceof ListValue a && other instanceof ListValue b && a.size() == b.size()) {
            for (int i = 0; i < a.size(); i++) {
                if (!same(a.get(i), b.get(i), budget)) {
                    return false;
                }
            }
            return true;
        }
        if (one instanceof MapValue a && other instanceof MapValue b && a.size() == b.size()) {
            for (int i = 0; i < a.size(); i++) {
                Value counterpart = b.get(a.keyAt(i));
                if (counterpart == null || !same(a.valueAt(i), counterpart, budget)) {
                    return false;
                }
            }
            return true;
        }
        if (!(one instanceof Container)) {
            budget.spendText(one.weight());
            return one.equals(other);
        }
        return false; // another kind or size
    }
}
