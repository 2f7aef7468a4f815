package dev.strake.engine.tree;

/** The null value: a key that is present without a value. */
public final class Null implements Value {

    public static final Null NULL = new Null(false);

    private static final Null SECRET = new Null(true);

    private final boolean secret;

    private Null(boolean secret) {
        this.secret = secret;
    }

    @Override
    public long weight() {
        return 4;
    }

    @Override
    public String kind() {
        return "null";
    }

    @Override
    public boolean isSecret() {
        return secret;
    }

    @Override
    public Null secret() {
        return SECRET;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Null;
    }

    @Override
    public int hashCode() {
        return 0;
    }

    @Override
    public String toString() {
        return "Null";
    }
}
