package dev.strake.engine.tree;

/** The null value: a key that is present without a value. */
public enum Null implements Value {
    NULL;

    @Override
    public long weight() {
        return 4;
    }

    @Override
    public int depth() {
        return 0;
    }

    @Override
    public String kind() {
        return "null";
    }
}
