package dev.strake.engine.readiness;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a success counts: {@code expiresAfter} of a validation policy, a duration of ISO 8601 such as {@code P1W} or
 * {@code P1DT12H}. Deckhand stores this duration but never evaluates it; here it means what Deckhand's manual says.
 */
final class Validity {

    private static final Pattern DURATION = Pattern.compile("(P(?:[0-9]+[YMWD])*)(?:T((?:[0-9.]+[HMS])+))?");

    private final String text;
    private final Period days;
    private final Duration hours;

    /**
     * Parses a duration. With a text that is not a duration, every success has expired: a policy that cannot be parsed
     * must not let a revision pass.
     *
     * @param text as written in the policy
     */
    Validity(String text) {
        this.text = text;
        Period readDays = null;
        Duration readHours = null;
        Matcher parts = DURATION.matcher(text);
        if (parts.matches() && text.length() > 1) {
            try {
                readDays = parts.group(1).equals("P") ? Period.ZERO : Period.parse(parts.group(1));
                readHours = parts.group(2) == null ? Duration.ZERO : Duration.parse("PT" + parts.group(2));
            } catch (DateTimeParseException e) {
                readDays = null; // for example P1D1Y, or a number that is too large
            }
        }
        this.days = readDays;
        this.hours = readHours;
    }

    String text() {
        return text;
    }

    boolean isReadable() {
        return days != null;
    }

    /** When a success that was posted at a time stops counting, in milliseconds. */
    long end(long since) {
        if (!isReadable()) {
            return Long.MIN_VALUE;
        }
        try {
            return Instant.ofEpochMilli(since)
                    .atOffset(ZoneOffset.UTC)
                    .plus(days)
                    .plus(hours)
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            return Long.MAX_VALUE; // after the end of the calendar
        }
    }
}
