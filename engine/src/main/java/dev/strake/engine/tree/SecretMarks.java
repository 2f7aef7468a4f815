package dev.strake.engine.tree;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Lists all marks of secrets in a tree. Two trees have equal marks if every part of one is as secret as the same part
 * of the other. {@link SecretPlaces} omits hidden keys of maps, and clear values written between hidden keys.
 */
final class SecretMarks {

    private static final String CLOSED = "~"; // no pointer ends with it
    private static final String CLEAR = "~~";

    private final List<Text> found = new ArrayList<>();

    private SecretMarks() {}

    static ListValue of(Value tree) {
        SecretMarks marks = new SecretMarks();
        marks.collect(tree, Place.ROOT, false);
        marks.found.sort(Comparator.comparing(Text::value)); // independent of the order of keys
        return ListValue.of(marks.found);
    }

    /* Recursive: documents have limited depth. */
    private void collect(Value value, Place place, boolean isExpected) {
        boolean isSecret = value.isSecret();
        if (isSecret != isExpected) {
            found.add(new Text(place.pointer() + (isSecret ? "" : CLEAR)));
        }
        if (value instanceof MapValue map) {
            if (map.isClosed()) {
                found.add(new Text(place.pointer() + CLOSED));
            }
            for (int i = 0; i < map.size(); i++) {
                if (tellsMore(map.valueAt(i), isSecret)) {
                    collect(map.valueAt(i), place.at(map.keyAt(i)), isSecret);
                }
            }
        } else if (value instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                if (tellsMore(list.get(i), isSecret)) {
                    collect(list.get(i), place.at(i), isSecret);
                }
            }
        }
    }

    private static boolean tellsMore(Value value, boolean isExpected) {
        return value.isSecret() != isExpected || (value instanceof Container && value.hasSecrets());
    }
}
