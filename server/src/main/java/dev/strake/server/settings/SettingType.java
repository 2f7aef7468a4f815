package dev.strake.server.settings;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The type of a setting's values.
 *
 * @param placeholder the placeholder for a value in usage messages
 * @param unit the unit of a value, or empty
 * @param range the valid values, in words that end the sentence "it has to be"
 * @param reader parses a value; throws {@link IllegalArgumentException} if the text is out of range
 */
public record SettingType<T>(String placeholder, String unit, String range, Function<String, T> reader) {

    static SettingType<Integer> count(String unit, int from, int to) {
        SettingType<Long> number = number("N", unit, from, to);
        return new SettingType<>(
                number.placeholder, number.unit, number.range, text -> Math.toIntExact(number.read(text)));
    }

    static SettingType<Long> bytes(long from, long to) {
        return number("BYTES", "bytes", from, to);
    }

    static SettingType<Long> number(String placeholder, String unit, long from, long to) {
        return new SettingType<>(placeholder, unit, "a whole number from %,d to %,d".formatted(from, to), text -> {
            long value = Long.parseLong(text);
            require(value >= from && value <= to);
            return value;
        });
    }

    /** A duration in ISO 8601. */
    static SettingType<Duration> time(Duration from, Duration to) {
        String range = "a time from %s to %s, as PT30S, PT10M or P7D".formatted(text(from), text(to));
        return new SettingType<>("TIME", "ISO 8601", range, text -> {
            try {
                Duration value = Duration.parse(text);
                require(value.compareTo(from) >= 0 && value.compareTo(to) <= 0);
                return value;
            } catch (DateTimeParseException e) {
                throw new IllegalArgumentException(e);
            }
        });
    }

    /* Duration formats a week as 168 hours. */
    static String text(Duration time) {
        boolean days = !time.isZero() && time.equals(Duration.ofDays(time.toDays()));
        return days ? "P" + time.toDays() + "D" : time.toString();
    }

    static SettingType<String> text(String placeholder, String pattern, String range) {
        return new SettingType<>(placeholder, "", range, text -> {
            require(text.matches(pattern));
            return text;
        });
    }

    static SettingType<Path> path(String placeholder, String range) {
        return new SettingType<>(placeholder, "", range, text -> {
            try {
                return Path.of(text);
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException(e);
            }
        });
    }

    static SettingType<String> oneOf(String... values) {
        List<String> all = List.of(values);
        return new SettingType<>("WHAT", "", String.join(" or ", all), text -> {
            require(all.contains(text));
            return text;
        });
    }

    static SettingType<Boolean> yesOrNo() {
        return new SettingType<>("true|false", "", "true or false", text -> {
            require(text.equals("true") || text.equals("false"));
            return text.equals("true");
        });
    }

    /** The same type, with the empty text for no value. */
    SettingType<Optional<T>> orNothing() {
        return new SettingType<>(
                placeholder, unit, range, text -> text.isEmpty() ? Optional.empty() : Optional.of(read(text)));
    }

    T read(String text) {
        return reader.apply(text);
    }

    private static void require(boolean inRange) {
        if (!inRange) {
            throw new IllegalArgumentException("out of range");
        }
    }
}
