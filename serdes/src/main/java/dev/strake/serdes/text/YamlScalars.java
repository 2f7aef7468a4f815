package dev.strake.serdes.text;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.Locale;

/**
 * Resolves scalars as PyYAML's safe loader or go-yaml does. The code recognizes numbers without regular expressions: in
 * Java, the expressions of the resolvers recurse once for each character of the number.
 *
 * <p>Differences: numbers keep their digits (no binary floating point). A date is text. A lone {@code =} or {@code <<},
 * which PyYAML cannot construct, is text as well.
 */
final class YamlScalars {

    /** The longest number with a base other than ten. Converting such a number takes more than linear time. */
    private static final int LONGEST_CONVERTED = 4096;

    private static final double LEAST_WITHOUT_EXPONENT = 1e-6;
    private static final double LEAST_WITH_EXPONENT = 1e21;

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-M-d", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
    private static final String MIDNIGHT = "T00:00:00Z";

    private static final BigInteger SIXTY = BigInteger.valueOf(60);

    private YamlScalars() {}

    /** Resolves a plain scalar without a tag. */
    static Value resolve(String text, Dialect dialect, Position at) throws UnreadableTextException {
        if (text.isEmpty()) {
            return Null.NULL;
        }
        char first = text.charAt(0);
        if (isDigit(first) || first == '-' || first == '+' || first == '.') {
            Num number = number(text, dialect, at);
            return number != null
                    ? number
                    : new Text(
                            dialect == Dialect.KUSTOMIZE && isDate(text)
                                    ? LocalDate.parse(text, DATE) + MIDNIGHT
                                    : text);
        }
        return switch (text) {
            case "~", "null", "Null", "NULL" -> Null.NULL;
            case "true", "True", "TRUE" -> Bool.TRUE;
            case "false", "False", "FALSE" -> Bool.FALSE;
            default -> dialect == Dialect.KUSTOMIZE ? new Text(text) : word(text, dialect);
        };
    }

    /* Resolves words that are booleans in YAML 1.1 but no longer in YAML 1.2; other words are text. */
    private static Value word(String text, Dialect dialect) {
        return switch (text) {
            case "yes", "Yes", "YES", "on", "On", "ON" -> Bool.TRUE;
            case "no", "No", "NO", "off", "Off", "OFF" -> Bool.FALSE;
            case "y", "Y" -> dialect == Dialect.PYTHON ? new Text(text) : Bool.TRUE;
            case "n", "N" -> dialect == Dialect.PYTHON ? new Text(text) : Bool.FALSE;
            default -> new Text(text);
        };
    }

    private static Num number(String text, Dialect dialect, Position at) throws UnreadableTextException {
        return switch (dialect) {
            case PYTHON -> number(text, at);
            case GO -> goNumber(text, at);
            case KUBECTL, KUSTOMIZE -> inJson(goNumber(text, at));
        };
    }

    /* Formats numbers as Go does: whole numbers without a fraction, exponents only if large, text beyond a double. */
    private static Num inJson(Num number) {
        if (number == null || number.isInteger()) {
            return number == null || !number.literal().equals("-0") ? number : Num.ofLiteral("0");
        }
        double size = Math.abs(Double.parseDouble(number.literal()));
        if (Double.isInfinite(size)) {
            return null;
        }
        if (size == 0) {
            return Num.ofLiteral("0");
        }
        return size >= LEAST_WITHOUT_EXPONENT && size < LEAST_WITH_EXPONENT
                ? Num.ofLiteral(
                        new BigDecimal(number.literal()).stripTrailingZeros().toPlainString())
                : number;
    }

    private static boolean isDate(String text) {
        try {
            return LocalDate.parse(text, DATE) != null;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    /** Resolves a scalar with the tag {@code !!bool}. */
    static Value taggedBool(String text, Position at) throws UnreadableTextException {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "yes", "true", "on" -> Bool.TRUE;
            case "no", "false", "off" -> Bool.FALSE;
            default -> throw at.invalid("the value with the tag !!bool is not a boolean", "write true or false");
        };
    }

    /** Resolves a scalar with the tag {@code !!int}. */
    static Value taggedInt(String text, Position at) throws UnreadableTextException {
        Num number = number(text, at);
        if (number == null || !number.isInteger()) {
            throw at.invalid("the value with the tag !!int is not an integer", "remove the tag");
        }
        return number;
    }

    /** Resolves a scalar with the tag {@code !!float}: also an integer, or with an exponent without a sign. */
    static Value taggedFloat(String text, Position at) throws UnreadableTextException {
        Num decimal = anyDecimal(text.replace("_", ""));
        if (decimal != null) {
            return decimal;
        }
        Num number = number(text, at); // base 60, or .inf and .nan with their own message
        if (number == null || number.isInteger()) {
            throw at.invalid("the value with the tag !!float is not a decimal number", "remove the tag");
        }
        return number;
    }

    /* Parses digits with an optional point and an optional exponent, with or without a sign; null for other text. */
    private static Num anyDecimal(String digits) {
        int sign = signLength(digits);
        int exponent = Math.max(digits.indexOf('e'), digits.indexOf('E'));
        String mantissa = digits.substring(sign, exponent < 0 ? digits.length() : exponent);
        int dot = mantissa.indexOf('.');
        String whole = dot < 0 ? mantissa : mantissa.substring(0, dot);
        String fraction = dot < 0 ? "" : mantissa.substring(dot + 1);
        boolean exponentFits = exponent < 0
                || areDigits(digits.substring(exponent + 1 + signLength(digits.substring(exponent + 1))), "0123456789");
        return exponentFits && areDigits(whole + fraction, "0123456789")
                ? decimal(digits.startsWith("-"), whole, fraction, exponent < 0 ? "" : digits.substring(exponent))
                : null;
    }

    /** Parses a plain scalar as go-yaml v2 does; null if it is text. Underscores are ignored. */
    private static Num goNumber(String text, Position at) throws UnreadableTextException {
        String digits = text.replace("_", "");
        String body = digits.substring(signLength(digits));
        String lower = body.toLowerCase(Locale.ROOT);
        if (lower.equals(".inf") || text.equalsIgnoreCase(".nan")) {
            throw noJson(at);
        }
        int base = lower.startsWith("0x") ? 16 : lower.startsWith("0b") ? 2 : lower.startsWith("0") ? 8 : 10;
        int prefix = base == 10 ? 0 : base != 8 || lower.startsWith("0o") ? 2 : 1;
        String places = body.substring(prefix);
        if (base != 10 && areDigits(places, "0123456789abcdefABCDEF".substring(0, base == 16 ? 22 : base))) {
            checkLength(places, at);
            return integer(digits.startsWith("-"), new BigInteger(places, base));
        }
        if (body.equals("0") || (base == 10 && areDigits(body, "0123456789"))) {
            return Num.ofLiteral(digits.startsWith("-") && base == 10 ? "-" + body : body);
        }
        return anyDecimal(digits);
    }

    /** Parses a plain scalar as PyYAML does; null if it is text. */
    private static Num number(String text, Position at) throws UnreadableTextException {
        int sign = signLength(text);
        boolean negative = text.startsWith("-");
        String body = text.substring(sign);
        if (body.isEmpty()) {
            return null;
        }
        int dot = body.indexOf('.');
        if (dot >= 0) {
            return fractional(negative, body, dot, sign > 0, at);
        }
        if (body.startsWith("0b")) {
            return based(negative, body.substring(2), 2, "01_", at);
        }
        if (body.startsWith("0x")) {
            return based(negative, body.substring(2), 16, "0123456789abcdefABCDEF_", at);
        }
        if (body.startsWith("0") && body.length() > 1) {
            return based(negative, body, 8, "01234567_", at);
        }
        if (!isDigit(body.charAt(0))) {
            return null;
        }
        int colon = body.indexOf(':');
        if (colon >= 0) {
            BigInteger value = body.charAt(0) == '0' ? null : sexagesimal(body, at);
            return value == null ? null : integer(negative, value);
        }
        if (!areDigits(body, "0123456789_")) {
            return null;
        }
        String digits = body.replace("_", "");
        return Num.ofLiteral(negative && !digits.equals("0") ? "-" + digits : digits);
    }

    private static Num fractional(boolean negative, String body, int dot, boolean signed, Position at)
            throws UnreadableTextException {
        switch (body) {
            case ".inf", ".Inf", ".INF" -> throw noJson(at);
            case ".nan", ".NaN", ".NAN" -> {
                if (!signed) {
                    throw noJson(at);
                }
                return null;
            }
            default -> {
                // An ordinary number, or text.
            }
        }
        String whole = body.substring(0, dot);
        String rest = body.substring(dot + 1);
        if (whole.indexOf(':') >= 0) {
            BigInteger value = areDigits(rest, "0123456789_", 0) ? sexagesimal(whole, at) : null;
            if (value == null) {
                return null;
            }
            String fraction = rest.replace("_", "");
            return decimal(negative, value.toString(), fraction, "");
        }
        int exponent = Math.max(rest.indexOf('e'), rest.indexOf('E'));
        String fraction = exponent < 0 ? rest : rest.substring(0, exponent);
        if (exponent >= 0) {
            // PyYAML requires a sign in the exponent: 1.5e3 is text.
            String power = rest.substring(exponent + 1);
            if (signLength(power) == 0 || !areDigits(power.substring(1), "0123456789")) {
                return null;
            }
        }
        boolean fits = whole.isEmpty()
                ? !signed && !fraction.isEmpty() && isDigit(fraction.charAt(0)) && areDigits(fraction, "0123456789_")
                : isDigit(whole.charAt(0)) && areDigits(whole, "0123456789_") && areDigits(fraction, "0123456789_", 0);
        return fits
                ? decimal(
                        negative,
                        whole.replace("_", ""),
                        fraction.replace("_", ""),
                        exponent < 0 ? "" : rest.substring(exponent))
                : null;
    }

    /** Builds a decimal number with all its digits, as in JSON: at least one digit before and after the point. */
    private static Num decimal(boolean negative, String whole, String fraction, String exponent) {
        int zeros = 0;
        while (zeros < whole.length() - 1 && whole.charAt(zeros) == '0') {
            zeros++;
        }
        String integral = whole.isEmpty() ? "0" : whole.substring(zeros);
        String literal = integral + (fraction.isEmpty() ? ".0" : "." + fraction) + exponent;
        return Num.ofLiteral(negative ? "-" + literal : literal);
    }

    private static Num based(boolean negative, String body, int base, String alphabet, Position at)
            throws UnreadableTextException {
        if (!areDigits(body, alphabet)) {
            return null;
        }
        String digits = body.replace("_", "");
        if (digits.isEmpty()) {
            throw at.invalid("a number in base " + base + " has no digits", "quote it to make it text");
        }
        checkLength(digits, at);
        return integer(negative, new BigInteger(digits, base));
    }

    /** Parses a number to base 60 (hours, minutes and seconds); null if the text is not such a number. */
    private static BigInteger sexagesimal(String body, Position at) throws UnreadableTextException {
        String[] places = body.split(":", -1);
        if (!isDigit(body.charAt(0)) || !areDigits(places[0], "0123456789_")) {
            return null;
        }
        for (int i = 1; i < places.length; i++) {
            String place = places[i];
            boolean fits = (place.length() == 1 && isDigit(place.charAt(0)))
                    || (place.length() == 2 && place.charAt(0) <= '5' && areDigits(place, "0123456789"));
            if (!fits) {
                return null;
            }
        }
        checkLength(body, at);
        BigInteger value = new BigInteger(places[0].replace("_", ""));
        for (int i = 1; i < places.length; i++) {
            value = value.multiply(SIXTY).add(new BigInteger(places[i]));
        }
        return value;
    }

    private static Num integer(boolean negative, BigInteger value) {
        return Num.ofLiteral((negative ? value.negate() : value).toString());
    }

    private static void checkLength(String digits, Position at) throws UnreadableTextException {
        if (digits.length() > LONGEST_CONVERTED) {
            throw at.beyond(
                    "a number in another base than ten has more than " + LONGEST_CONVERTED + " digits",
                    "write it in base ten, or quote it");
        }
    }

    private static UnreadableTextException noJson(Position at) {
        return at.invalid("JSON cannot represent infinity and not-a-number", "quote it to make it text");
    }

    private static int signLength(String text) {
        return text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean areDigits(String text, String alphabet) {
        return areDigits(text, alphabet, 1);
    }

    private static boolean areDigits(String text, String alphabet, int atLeast) {
        for (int i = 0; i < text.length(); i++) {
            if (alphabet.indexOf(text.charAt(i)) < 0) {
                return false;
            }
        }
        return text.length() >= atLeast;
    }
}
