package dev.strake.engine.tree;

import java.math.BigDecimal;

/**
 * A number, kept as the text in which it was written: {@code 1.0} stays {@code 1.0}, integers have any size, and binary
 * floating point never rounds a configuration value.
 */
public final class Num implements Value {

    /** Longer integer literals may not fit into 64 bits. */
    private static final int LONGEST_LONG = 18;

    private final String literal;
    private final boolean secret;

    private Num(String literal) {
        this(literal, false);
    }

    private Num(String literal, boolean secret) {
        this.literal = literal;
        this.secret = secret;
    }

    /** An integer. */
    public static Num of(long value) {
        return new Num(Long.toString(value));
    }

    /**
     * A number from its JSON literal.
     *
     * @throws IllegalArgumentException if the text is not a number in JSON
     */
    public static Num ofLiteral(String literal) {
        if (!isJson(literal)) {
            throw new IllegalArgumentException("not a JSON number");
        }
        return new Num(literal);
    }

    /* -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)? by hand: documents may have a million numbers. */
    private static boolean isJson(String text) {
        int from = text.startsWith("-") ? 1 : 0;
        int at = behindDigits(text, from);
        if (at == from || (at > from + 1 && text.charAt(from) == '0')) {
            return false;
        }
        if (at < text.length() && text.charAt(at) == '.') {
            int fraction = at + 1;
            at = behindDigits(text, fraction);
            if (at == fraction) {
                return false;
            }
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            boolean isSigned = at + 1 < text.length() && (text.charAt(at + 1) == '-' || text.charAt(at + 1) == '+');
            int exponent = at + (isSigned ? 2 : 1);
            at = behindDigits(text, exponent);
            if (at == exponent) {
                return false;
            }
        }
        return at == text.length();
    }

    private static int behindDigits(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }

    /** The number as it is written in JSON. */
    public String literal() {
        return literal;
    }

    /** Whether the number is written without fraction and exponent. */
    public boolean isInteger() {
        for (int i = 0; i < literal.length(); i++) {
            char c = literal.charAt(i);
            if (c == '.' || c == 'e' || c == 'E') {
                return false;
            }
        }
        return true;
    }

    /**
     * The exact decimal value.
     *
     * @throws NumberFormatException if the exponent is beyond what a decimal can hold
     */
    public BigDecimal decimal() {
        return new BigDecimal(literal);
    }

    /**
     * The value of an integer, or the nearest int. Huge integers mean the same as a depth or position, so a million
     * digits need not be read.
     *
     * @throws NumberFormatException if the number is not an {@linkplain #isInteger integer}
     */
    public int nearestInt() {
        boolean negative = literal.charAt(0) == '-';
        if (isInteger() && literal.length() > LONGEST_LONG) {
            return negative ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        }
        long value = Long.parseLong(literal);
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, value));
    }

    @Override
    public long weight() {
        return literal.length();
    }

    @Override
    public String kind() {
        return isInteger() ? "integer" : "number";
    }

    @Override
    public boolean isSecret() {
        return secret;
    }

    @Override
    public Num secret() {
        return secret ? this : new Num(literal, true);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Num num && num.literal.equals(literal);
    }

    @Override
    public int hashCode() {
        return TextHash.of(literal);
    }

    @Override
    public String toString() {
        return "Num[" + literal.length() + " characters]";
    }
}
