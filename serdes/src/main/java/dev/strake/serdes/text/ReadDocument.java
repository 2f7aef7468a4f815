package dev.strake.serdes.text;

import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.Map;

/**
 * A tree and its place in the text.
 *
 * @param location where it begins
 * @param places where each path begins (written as in problems, {@code .metadata.substitutions[0].src}): a member of a mapping
 *     at its key, an item of a list at its value. Empty unless the reader remembers lines
 * @param warnings of keys that stand twice, each with its path and place
 */
public record ReadDocument(Value value, Location location, Map<String, Location> places, List<Problem> warnings) {

    /** The place of a path, or of its nearest ancestor whose place is known. */
    public Location locate(String path) {
        String nearest = path == null ? "" : path;
        while (!nearest.isEmpty()) {
            Location place = places.get(nearest);
            if (place != null) {
                return place;
            }
            nearest = above(nearest);
        }
        return location;
    }

    /** The path without its last step. */
    static String above(String path) {
        return path.substring(0, Math.max(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['))));
    }

    /** The given problem of this document, with its place. */
    public Problem locate(Problem problem) {
        return problem.at(locate(problem.path()));
    }
}
