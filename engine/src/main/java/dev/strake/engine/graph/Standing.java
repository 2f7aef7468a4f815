package dev.strake.engine.graph;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import java.util.HashMap;
import java.util.Map;

/**
 * What a document is to others, whatever it holds. There are few different ones, and one object of each: documents with
 * the same standing share it.
 *
 * @param control control documents steer the engine: nothing is layered on, substituted into or operated on them
 * @param isAbstract abstract documents are there for others, and are not rendered themselves
 * @param replacement whether it takes the place of the parent that it chooses
 */
public record Standing(Kind kind, boolean control, boolean isAbstract, boolean replacement) {

    private static final Map<Standing, Standing> ALL = all();

    private static Map<Standing, Standing> all() {
        Map<Standing, Standing> all = new HashMap<>();
        for (Kind kind : Kind.values()) {
            for (int flags = 0; flags < 8; flags++) {
                Standing each = new Standing(kind, (flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0);
                all.put(each, each);
            }
        }
        return Map.copyOf(all);
    }

    static Standing of(Document document) {
        return of(document.kind(), document.isControl(), document.isAbstract(), document.isReplacement());
    }

    /** The one object for this standing. */
    public static Standing of(Kind kind, boolean control, boolean isAbstract, boolean replacement) {
        return ALL.get(new Standing(kind, control, isAbstract, replacement));
    }
}
