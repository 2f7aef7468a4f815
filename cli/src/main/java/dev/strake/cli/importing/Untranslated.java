package dev.strake.cli.importing;

import dev.strake.engine.problem.Location;
import java.util.Comparator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Part of the input that the documents do not contain.
 *
 * @param where the file, with line and column if they are known
 * @param what the field or object
 * @param why the reason, without a capital letter and a full stop. Never a value: it may be secret
 */
record Untranslated(String where, String what, String why) {

    private static final Pattern PLACE = Pattern.compile("(.*?)(?::([0-9]{1,9}))?(?::([0-9]{1,9}))?", Pattern.DOTALL);

    /** The order of files, lines and columns. */
    static final Comparator<Untranslated> BY_PLACE = Comparator.comparing(
            Untranslated::place,
            Comparator.comparing((MatchResult place) -> place.group(1))
                    .thenComparing(place -> number(place.group(2)))
                    .thenComparing(place -> number(place.group(3))));

    private MatchResult place() {
        Matcher place = PLACE.matcher(where);
        place.matches();
        return place;
    }

    private static int number(String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    /** Returns the line to print. */
    String describe() {
        return Location.inOneLine(where + ": " + what + ": " + why);
    }
}
