package dev.strake.engine.graph;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a document is to other documents, apart from its data. There are few different values, so documents share one
 * object for each.
 *
 * @param control control documents steer the engine: nothing is layered on, substituted into or operated on them
 * @param isAbstract abstract documents are there for others, and are not rendered themselves
 * @param replacement whether it takes the place of the parent that it chooses
 * @param encrypted whether its author wants its data kept encrypted: then it is secret, and what is made of it ({@link Secrets})
 */
public record Standing(Kind kind, boolean control, boolean isAbstract, boolean replacement, boolean encrypted) {

    private static final int FLAGS = 16;

    /* By kind and flags. A map with the record as its key would be slow while a workspace is opened and code is not compiled yet. */
    private static final Map<Kind, Standing[]> ALL = all();

    private static Map<Kind, Standing[]> all() {
        Map<Kind, Standing[]> all = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            Standing[] standings = new Standing[FLAGS];
            for (int flags = 0; flags < FLAGS; flags++) {
                standings[flags] =
                        new Standing(kind, (flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0, (flags & 8) != 0);
            }
            all.put(kind, standings);
        }
        return all;
    }

    static Standing of(Document document) {
        return of(
                document.kind(),
                document.isControl(),
                document.isAbstract(),
                document.isReplacement(),
                document.isEncrypted());
    }

    public static Standing of(Kind kind, boolean control, boolean isAbstract, boolean replacement, boolean encrypted) {
        int flags = (control ? 1 : 0) + (isAbstract ? 2 : 0) + (replacement ? 4 : 0) + (encrypted ? 8 : 0);
        return ALL.get(kind)[flags];
    }
}
