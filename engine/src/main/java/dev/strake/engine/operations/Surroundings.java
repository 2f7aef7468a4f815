package dev.strake.engine.operations;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Describes the keys or items where a path fails, so that an author finds a misspelled name. Secret names and keys are
 * not quoted.
 */
final class Surroundings {

    /** The maximum number of item names in a hint. */
    private static final int NAMES_SHOWN = 20;

    private static final int LONGEST_NAME = 60;

    private Surroundings() {}

    /** The hint for a match that finds no item; null if there is none. It quotes names only: other values may be passwords. */
    static String items(ListValue list, String key) {
        List<Text> texts = list.items().stream()
                .map(item -> item instanceof MapValue map && map.get(key) instanceof Text text ? text : null)
                .filter(Objects::nonNull)
                .toList();
        if (list.size() == 0) {
            return "the array is empty";
        }
        if (texts.isEmpty()) {
            return "no item has text under the key '" + key + "'";
        }
        if (!key.equals("name") || texts.stream().anyMatch(Value::isSecret)) {
            return null;
        }
        String more = texts.size() > NAMES_SHOWN ? " and " + (texts.size() - NAMES_SHOWN) + " more" : "";
        return texts.stream()
                .limit(NAMES_SHOWN)
                .map(name -> Problem.cut(name.value(), LONGEST_NAME))
                .collect(Collectors.joining("', '", "found names: '", "'" + more));
    }

    /** The end of go-patch's message about a missing key. */
    static String keys(MapValue map) {
        if (map.isClosed()) {
            return "the map keys are secret";
        }
        return map.isEmpty()
                ? "found no other map keys"
                : map.keys().stream()
                        .sorted(Surroundings::byCodePoint)
                        .collect(Collectors.joining("', '", "found map keys: '", "'"));
    }

    /* Compares by code point. In UTF-16 order, surrogates would come before the characters from U+E000 on. */
    private static int byCodePoint(String one, String other) {
        int i = 0;
        int end = Math.min(one.length(), other.length());
        while (i < end && one.charAt(i) == other.charAt(i)) {
            i++;
        }
        if (i == end) {
            return Integer.compare(one.length(), other.length());
        }
        boolean half = Character.isSurrogate(one.charAt(i));
        return half == Character.isSurrogate(other.charAt(i))
                ? Character.compare(one.charAt(i), other.charAt(i))
                : half ? 1 : -1;
    }
}
