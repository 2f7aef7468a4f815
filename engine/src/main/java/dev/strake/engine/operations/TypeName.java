package dev.strake.engine.operations;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.math.BigInteger;

/** The name of a value's type in the messages of BOSH's tool. */
public final class TypeName {

    private static final BigInteger UNSIGNED_END = BigInteger.ONE.shiftLeft(64);
    private static final int LONGEST_INTEGER = 20;

    private TypeName() {}

    public static String of(Value value) {
        if (value instanceof MapValue) {
            return "map[interface {}]interface {}";
        }
        if (value instanceof ListValue) {
            return "[]interface {}";
        }
        if (value instanceof Text) {
            return "string";
        }
        if (value instanceof Bool) {
            return "bool";
        }
        return value instanceof Num num ? of(num) : "<nil>";
    }

    private static String of(Num num) {
        if (!num.isInteger() || num.literal().length() > LONGEST_INTEGER) {
            return "float64";
        }
        BigInteger value = new BigInteger(num.literal());
        if (value.bitLength() < Long.SIZE) {
            return "int";
        }
        return value.signum() > 0 && value.compareTo(UNSIGNED_END) < 0 ? "uint64" : "float64";
    }
}
