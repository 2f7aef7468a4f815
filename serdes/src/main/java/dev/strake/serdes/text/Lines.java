package dev.strake.serdes.text;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The paths whose lines a reader remembers. A path can be a thousand times longer than its value in the text. */
final class Lines {

    static final Lines NONE = new Lines(Map.of());

    /** All paths. For files on the machine of the user, which has enough memory for them. */
    static final Lines ALL = new Lines(null);

    private final Map<Integer, Set<String>> wanted;

    private Lines(Map<Integer, Set<String>> wanted) {
        this.wanted = wanted;
    }

    /**
     * Only some paths and their ancestors.
     *
     * @param paths by the position of their document
     */
    static Lines of(Map<Integer, Set<String>> paths) {
        Map<Integer, Set<String>> wanted = new HashMap<>();
        paths.forEach((document, some) -> {
            Set<String> all = new HashSet<>();
            for (String path : some) {
                for (String each = path; all.add(each) && !each.isEmpty(); ) {
                    each = ReadDocument.above(each);
                }
            }
            wanted.put(document, all);
        });
        return new Lines(wanted);
    }

    boolean isOf(int document) {
        return wanted == null || (!wanted.isEmpty() && wanted.containsKey(document)); // called for every value
    }

    boolean isOf(int document, String path) {
        return wanted == null || wanted.get(document).contains(path);
    }
}
