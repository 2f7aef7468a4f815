package dev.strake.serdes.text;

import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Value;
import java.util.Map;

/**
 * A tree and its place in its text.
 *
 * @param location its first line
 * @param lines the line of each path (as problems write paths, {@code .metadata.substitutions[0].src}) if the reader
 *     was asked to remember them, empty otherwise
 */
public record ReadDocument(Value value, Location location, Map<String, Integer> lines) {

    /** The place of a path, or of the nearest thing above it that is there. */
    public Location locate(String path) {
        String nearest = path == null ? "" : path;
        while (!nearest.isEmpty()) {
            Integer line = lines.get(nearest);
            if (line != null) {
                return new Location(location.source(), line);
            }
            nearest = nearest.substring(0, Math.max(0, Math.max(nearest.lastIndexOf('.'), nearest.lastIndexOf('['))));
        }
        return location;
    }

    /** A problem of this document, with its place. */
    public Problem locate(Problem problem) {
        return problem.at(locate(problem.path()));
    }
}
