package dev.strake.engine.tree;

/** A text value. */
public final class Text implements Value {

    private final String value;
    private final int weight;
    private final boolean secret;

    public Text(String value) {
        this(value, JsonBytes.weightOf(value), false);
    }

    private Text(String value, long weight, boolean secret) {
        this.value = value;
        this.weight = (int) Math.min(weight, Integer.MAX_VALUE); // far above every limit
        this.secret = secret;
    }

    /** A text of which it is known that it is ASCII and needs no escapes: nobody looks at its characters. */
    public static Text unescaped(String value) {
        return new Text(value, value.length() + 2L, false);
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
    public int depth() {
        return 0;
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
    public Text secretIf(boolean isSo) {
        return isSo ? secret() : this;
    }

    @Override
    public Text secret() {
        return secret ? this : new Text(value, weight, true);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Text text && text.value.equals(value);
    }

    @Override
    public int hashCode() {
        return TextHash.of(value);
    }

    /** For messages. Never shows the content: any text of a document may be a secret. */
    @Override
    public String toString() {
        return "Text[" + value.length() + " characters]";
    }
}
