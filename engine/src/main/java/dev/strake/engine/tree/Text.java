package dev.strake.engine.tree;

import java.util.function.LongConsumer;

/** A text value. */
public final class Text implements Value {

    private final String value;
    private final int weight;
    private final boolean secret;
    private final boolean sealed;

    public Text(String value) {
        this(value, JsonBytes.weightOf(value), false, false);
    }

    private Text(String value, long weight, boolean secret, boolean sealed) {
        this.value = value;
        this.weight = (int) Math.min(weight, Integer.MAX_VALUE); // far above every limit
        this.secret = secret;
        this.sealed = sealed;
    }

    /**
     * A secret text that stands for a value of any type that cannot be decrypted here, or that was made from such a
     * value. Paths and merges handle sealed texts, so steps of rendering need not: a read below one returns the whole
     * text, and a write below one changes nothing.
     */
    public static Text sealed(String value) {
        return new Text(value, JsonBytes.weightOf(value), true, true);
    }

    /** A text, or {@link Null#NULL} for Java's null. */
    static Value orNull(String text) {
        return text == null ? Null.NULL : new Text(text);
    }

    /** Whether a value is a {@linkplain #sealed(String) sealed} text. */
    public static boolean isSealed(Value value) {
        return value instanceof Text text && text.sealed;
    }

    /** A text that the caller knows to be ASCII without escapes. Its characters are not checked. */
    public static Text unescaped(String value) {
        return new Text(value, value.length() + 2L, false, false);
    }

    /** This text, sealed or secret if the value that it was made from has sealed or secret parts. */
    public Text madeOf(Value other) {
        return other.hasSealed() ? sealed(value) : secretIf(other.hasSecrets());
    }

    /** A new object with the same text and marks. */
    public Text copy() {
        return new Text(value, weight, secret, sealed);
    }

    public String value() {
        return value;
    }

    /** Whether the JSON of this text is the text between quotes, one byte per character. */
    boolean isUnescaped() {
        return JsonBytes.isUnescaped(value, weight);
    }

    @Override
    public long weight() {
        return weight;
    }

    @Override
    public String kind() {
        return "text";
    }

    @Override
    public boolean isSecret() {
        return secret;
    }

    @Override
    public boolean hasSealed() {
        return sealed;
    }

    @Override
    public Value mergedUnder(Value over, LongConsumer effort) {
        return sealed && over instanceof MapValue ? this : over;
    }

    @Override
    public Text secretIf(boolean isSo) {
        return isSo ? secret() : this;
    }

    @Override
    public Text secret() {
        return secret ? this : new Text(value, weight, true, false);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Text text && text.value.equals(value);
    }

    @Override
    public int hashCode() {
        return TextHash.of(value);
    }

    /** For messages. Never shows the content, because any text of a document may be secret. */
    @Override
    public String toString() {
        return "Text[" + value.length() + " characters]";
    }
}
