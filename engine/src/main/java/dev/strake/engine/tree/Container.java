package dev.strake.engine.tree;

import java.util.Arrays;

/** A mapping or a list: the values in it and their measures. */
public abstract sealed class Container implements Value permits MapValue, ListValue {

    /** The largest weight: far above every limit, and small enough that sums of weights do not overflow. */
    private static final long WEIGHT_CAP = 1L << 50;

    final Value[] values;
    final Secrecy secrecy;
    private final long weight;
    private final int depth;
    private Fingerprint fingerprint;

    /**
     * Measures the values. The array is not copied.
     *
     * @param keys the bytes of the keys in JSON, colons included
     */
    Container(Value[] values, long keys, Secrecy secrecy) {
        this.values = values;
        this.secrecy = secrecy;
        long sum = 2L + Math.max(0, values.length - 1) + keys;
        int deepest = 0;
        for (Value value : values) {
            sum += value.weight();
            deepest = Math.max(deepest, value.depth());
        }
        this.weight = Math.min(sum, WEIGHT_CAP);
        this.depth = deepest + 1;
    }

    /** Takes the measures of the values from the caller. */
    Container(Value[] values, long weight, int depth, Secrecy secrecy) {
        this.values = values;
        this.secrecy = secrecy;
        this.weight = Math.min(weight, WEIGHT_CAP);
        this.depth = depth;
    }

    /** This container with the same number of other values, which are measured. */
    abstract Container with(Value[] others, Secrecy after);

    /** This container with the same number of other values, whose measures are known. */
    abstract Container with(Value[] others, long itsWeight, int itsDepth, Secrecy after);

    public int size() {
        return values.length;
    }

    public boolean isEmpty() {
        return values.length == 0;
    }

    public Value valueAt(int index) {
        return values[index];
    }

    /** This container with one value replaced. It is measured again only if the deepest value may be gone. */
    Container replaced(int index, Value value) {
        Value old = values[index];
        if (old == value) {
            return this;
        }
        Value[] copy = values.clone();
        copy[index] = value;
        Secrecy after = secrecy.replaced(old, value, copy);
        if (weight == WEIGHT_CAP || (old.depth() + 1 == depth && value.depth() < old.depth())) {
            return with(copy, after);
        }
        return with(copy, weight - old.weight() + value.weight(), Math.max(depth, value.depth() + 1), after);
    }

    /** A function of a position and the value there; Java's null removes the value. */
    @FunctionalInterface
    public interface Change {
        Value apply(int index, Value value);
    }

    /** Applies a change to each value. Java's null stands for removed values. Returns null if no value changes. */
    Value[] changed(Change change) {
        Value[] changed = null; // copied when the first value differs
        for (int i = 0; i < values.length; i++) {
            Value value = change.apply(i, values[i]);
            if (!isSame(value, values[i])) {
                changed = changed == null ? values.clone() : changed;
                changed[i] = value;
            }
        }
        return changed;
    }

    /* Compares identities, for sharing only: equal content in another object does no harm. */
    @SuppressWarnings("ReferenceEquality")
    static boolean isSame(Value one, Value other) {
        return one == other;
    }

    /** A copy of the values without the value at a position. */
    Value[] valuesWithout(int index) {
        Value[] shorter = new Value[values.length - 1];
        System.arraycopy(values, 0, shorter, 0, index);
        System.arraycopy(values, index + 1, shorter, index, shorter.length - index);
        return shorter;
    }

    @Override
    public long weight() {
        return weight;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public boolean isSecret() {
        return secrecy.isWhole();
    }

    @Override
    public boolean hasSecrets() {
        return secrecy != Secrecy.NONE;
    }

    @Override
    public boolean hasSealed() {
        return hasSecrets() && Arrays.stream(values).anyMatch(Value::hasSealed);
    }

    @Override
    public Container secret() {
        return isSecret() ? this : secret(Secrecy.WHOLE);
    }

    Container secret(Secrecy after) {
        Value[] secret = values.clone();
        for (int i = 0; i < secret.length; i++) {
            secret[i] = secret[i].secret();
        }
        return with(secret, weight, depth, after);
    }

    @Override
    public Fingerprint fingerprint() {
        Fingerprint result = fingerprint;
        if (result == null) {
            result = Fingerprint.of(this); // a benign race: every thread computes the same value
            fingerprint = result;
        }
        return result;
    }
}
