package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.function.Consumer;

/**
 * Which documents want others with which labels, to be asked from the side of a document that carries some.
 *
 * <p>The labels that are wanted together have names, and different documents mostly want labels of the same few names. So
 * of each such list of names one set of labels at most can be the one that a document carries, and it is looked up as a
 * whole:
 *
 * <pre>
 *   wanted    {app: db, tier: a} {app: db, tier: b} {app: web}      by names: [app, tier] [app]
 *   carried   {app: db, tier: b, zone: z1}                          looked up: {app: db, tier: b} {app: db}
 * </pre>
 *
 * How many documents want the label {@code app: db} beside others makes no difference.
 *
 * @param seekers the documents that want a set of labels
 * @param sets the sets of labels that have these names, sorted
 * @param names the lists of names that a name is part of
 */
record WantedLabels(
        Multimap<MapValue, DocumentId> seekers,
        Multimap<List<String>, MapValue> sets,
        Multimap<String, List<String>> names) {

    static final WantedLabels EMPTY = new WantedLabels(Multimap.empty(), Multimap.empty(), Multimap.empty());

    boolean isEmpty() {
        return seekers.isEmpty();
    }

    /** Names the documents that want what a document carries; each of them once. */
    void forEachSeeker(MapValue carried, Consumer<DocumentId> seeker) {
        forEachSeeker(carried, seekers, names, seeker);
    }

    private static void forEachSeeker(
            MapValue carried,
            Members<MapValue, DocumentId> seekers,
            Members<String, List<String>> names,
            Consumer<DocumentId> seeker) {
        for (String name : carried.keys()) {
            for (List<String> together : names.get(name)) {
                if (isFirst(name, together, carried)) {
                    seekers.get(those(together, carried)).forEach(seeker);
                }
            }
        }
    }

    /* Several names of a list may be carried, and the list is to be taken up once. */
    private static boolean isFirst(String name, List<String> together, MapValue carried) {
        for (String other : together) {
            if (carried.has(other)) {
                return other.equals(name);
            }
        }
        return false;
    }

    /* A label that is not carried is one that may be wanted as null. */
    private static MapValue those(List<String> names, MapValue carried) {
        MapValue.Builder result = MapValue.builder();
        for (String name : names) {
            Value value = carried.get(name);
            result.put(name, value == null ? Null.NULL : value);
        }
        return result.build();
    }

    Edit edit() {
        return new Edit(seekers.edit(), sets.edit(), names.edit());
    }

    /** The same in the making. */
    record Edit(
            Multimap.Edit<MapValue, DocumentId> seekers,
            Multimap.Edit<List<String>, MapValue> sets,
            Multimap.Edit<String, List<String>> names) {

        /** A document wants these labels, or no longer does. */
        void set(MapValue wanted, DocumentId document, boolean wants) {
            if (seekers.set(wanted, document, wants)) { // the first to want them, or the last
                List<String> together = wanted.keys().stream().sorted().toList();
                if (sets.set(together, wanted, wants)) {
                    together.forEach(name -> names.set(name, together, wants));
                }
            }
        }

        void forEachSeeker(MapValue carried, Consumer<DocumentId> seeker) {
            WantedLabels.forEachSeeker(carried, seekers, names, seeker);
        }

        WantedLabels freeze() {
            return new WantedLabels(seekers.freeze(), sets.freeze(), names.freeze());
        }
    }
}
