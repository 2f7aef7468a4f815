package dev.strake.engine.tree;

/** A boolean value. */
public enum Bool implements Value {
    TRUE(4),
    FALSE(5);

    private final int weight;

    Bool(int weight) {
        this.weight = weight;
    }

    public static Bool of(boolean value) {
        return value ? TRUE : FALSE;
    }

    public boolean value() {
        return this == TRUE;
    }

    @Override
    public long weight() {
        return weight;
    }

    @Override
    public int depth() {
        return 0;
    }

    @Override
    public String kind() {
        return "boolean";
    }
}
