package dev.strake.server.settings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Finds the name that somebody meant who wrote another one. */
public final class Spelling {

    private Spelling() {}

    /**
     * The name that is nearest to a wrong one.
     *
     * @param most how many letters may be missing, too many or wrong
     * @return empty if no name is so near
     */
    public static Optional<String> nearest(String wrong, Collection<String> names, int most) {
        String nearest = null;
        int least = most + 1;
        for (String name : names) {
            if (Math.abs(name.length() - wrong.length()) < least) {
                int distance = distance(wrong, name);
                if (distance < least) {
                    nearest = name;
                    least = distance;
                }
            }
        }
        return Optional.ofNullable(nearest);
    }

    /* How many letters have to be put in, taken out or changed (Levenshtein). */
    private static int distance(String one, String other) {
        List<Integer> row = new ArrayList<>();
        for (int j = 0; j <= other.length(); j++) {
            row.add(j);
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row.set(0, i);
            for (int j = 1; j <= other.length(); j++) {
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row.set(j, Math.min(changed, 1 + Math.min(row.get(j), row.get(j - 1))));
            }
        }
        return row.get(other.length());
    }
}
