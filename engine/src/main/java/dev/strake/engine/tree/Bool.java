package dev.strake.engine.tree;

/** A boolean value. */
public final class Bool implements Value {

    public static final Bool TRUE = new Bool(true, false);
    public static final Bool FALSE = new Bool(false, false);

    private static final Bool SECRET_TRUE = new Bool(true, true);
    private static final Bool SECRET_FALSE = new Bool(false, true);

    private final boolean value;
    private final boolean secret;

    private Bool(boolean value, boolean secret) {
        this.value = value;
        this.secret = secret;
    }

    public static Bool of(boolean value) {
        return value ? TRUE : FALSE;
    }

    public boolean value() {
        return value;
    }

    @Override
    public long weight() {
        return value ? 4 : 5;
    }

    @Override
    public String kind() {
        return "boolean";
    }

    @Override
    public boolean isSecret() {
        return secret;
    }

    @Override
    public Bool secret() {
        return value ? SECRET_TRUE : SECRET_FALSE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bool bool && bool.value == value;
    }

    @Override
    public int hashCode() {
        return Boolean.hashCode(value);
    }

    /** For messages. Never shows the content, which may be secret. */
    @Override
    public String toString() {
        return "Bool";
    }
}
