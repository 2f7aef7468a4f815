package dev.strake.cli.importing;

import dev.strake.engine.problem.Location;
import java.util.Comparator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Something that the documents do not have.
 *
 * @param where the file, with line and column if they are known
 * @param what the field or object
 * @param why in a sentence without a capital letter and a full stop. Never a value: it may be secret
 */
record Untranslated(String where, String what, String why) {

    private static final Pattern PLACE = Pattern.compile("(.*?)(?::([0-9]{1,9}))?(?::([0-9]{1,9}))?", Pattern.DOTALL);

    /** As somebody goes through the files. */
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

    /** As it is printed, in one line. */
    String describe() {
        return Location.inOneLine(where + ": " + what + ": " + why);
    }
}
