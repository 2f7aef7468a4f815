package dev.strake.serdes.text;

import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.Map;

/**
 * A parsed tree and its location in the text.
 *
 * @param location where the tree begins
 * @param places where each path begins: a member of a mapping at its key, an item of a list at its value. Paths are
 *     written as in problems, {@code .metadata.substitutions[0].src}. Empty unless the reader remembers lines
 * @param warnings one for each repeated key, with its path and location
 */
public record ReadDocument(Value value, Location location, Map<String, Location> places, List<Problem> warnings) {

    /** Returns the location of a path, or of its nearest ancestor whose location is known. */
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

    /** Returns the parent of a path. */
    static String above(String path) {
        return path.substring(0, Math.max(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['))));
    }

    /** Returns the given problem of this document with its location. */
    public Problem locate(Problem problem) {
        return problem.at(locate(problem.path()));
    }
}
