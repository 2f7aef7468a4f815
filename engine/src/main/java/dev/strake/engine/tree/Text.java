package dev.strake.engine.tree;

/** A text value. */
public final class Text implements Value {

    private final String value;
    private final long weight;

    public Text(String value) {
        this.value = value;
        this.weight = JsonBytes.weightOf(value);
    }

    public String value() {
        return value;
    }

    /** Whether its JSON is itself between quotes, one byte for each character. */
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
        return value.hashCode();
    }

    /** Never the content: any text of a document may be a secret. */
    @Override
    public String toString() {
        return "Text[" + value.length() + " characters]";
    }
}
