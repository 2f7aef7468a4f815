package dev.strake.engine.tree;

/** A text value. */
public final class Text implements Value {

    private final String value;
    private final long weight;

    public Text(String value) {
        this.value = value;
        this.weight = JsonBytes.weightOf(value);
    }

    private Text(String value, long weight) {
        this.value = value;
        this.weight = weight;
    }

    /** A text of which it is known that it is ASCII and needs no escapes: nobody looks at its characters. */
    public static Text unescaped(String value) {
        return new Text(value, value.length() + 2L);
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
