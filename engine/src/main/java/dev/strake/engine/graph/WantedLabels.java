package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the documents whose selector (or target) matches the labels of a given document.
 *
 * <p>Most selectors use the same few label names. For each combination of names that is in use, a document matches at most
 * one set of labels: its own values for these names. So each combination costs one look-up:
 *
 * <pre>
 *   wanted    {app: db, tier: a} {app: db, tier: b} {app: web}      by names: [app, tier] [app]
 *   carried   {app: db, tier: b, zone: z1}                          looked up: {app: db, tier: b} {app: db}
 * </pre>
 *
 * The cost does not depend on how many selectors contain the label {@code app: db}. It does depend on how many combinations
 * have a name that a document carries: whoever looks has that counted before.
 *
 * @param seekers the documents that want a set of labels
 * @param sets the wanted sets of labels by their sorted names
 * @param names the combinations of names that a name is part of
 */
record WantedLabels(Multimap<MapValue, DocumentId> seekers, Multimap<Name, MapValue> sets, Multimap<Name, Name> names) {

    static final WantedLabels EMPTY = new WantedLabels(Multimap.empty(), Multimap.empty(), Multimap.empty());

    /** Steps of work for one combination: its names are compared, a set of labels is made and looked up, some 400 ns. */
    private static final int STEPS = 8;

    boolean isEmpty() {
        return seekers.isEmpty();
    }

    /** The steps that a search for the seekers of these labels takes, those that it finds left out. */
    long steps(MapValue carried) {
        return steps(carried, names);
    }

    private static long steps(MapValue carried, Members<Name, Name> names) {
        long steps = 0;
        for (String name : carried.keys()) {
            steps += STEPS * (long) names.get(Name.of(name)).size();
        }
        return steps;
    }

    /** Names the documents whose wanted labels are among the carried ones; each document once. */
    void forEachSeeker(MapValue carried, Consumer<DocumentId> seeker) {
        forEachSeeker(carried, seekers, names, seeker);
    }

    private static void forEachSeeker(
            MapValue carried,
            Members<MapValue, DocumentId> seekers,
            Members<Name, Name> names,
            Consumer<DocumentId> seeker) {
        for (String name : carried.keys()) {
            for (Name together : names.get(Name.of(name))) {
                if (isFirst(name, together.texts(), carried)) {
                    seekers.get(those(together.texts(), carried)).forEach(seeker);
                }
            }
        }
    }

    /* A document may carry several names of a combination. The first one stands for it, so that it is looked up once. */
    private static boolean isFirst(String name, List<String> together, MapValue carried) {
        for (String other : together) {
            if (carried.has(other)) {
                return other.equals(name);
            }
        }
        return false;
    }

    /* A selector with a null value matches an absent label, too. */
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
            Multimap.Edit<Name, MapValue> sets,
            Multimap.Edit<Name, Name> names) {

        /** A document wants these labels, or no longer does. */
        void set(MapValue wanted, DocumentId document, boolean wants) {
            if (seekers.set(wanted, document, wants)) { // the first to want them, or the last
                Name together = new Name(wanted.keys().stream().sorted().toList());
                if (sets.set(together, wanted, wants)) {
                    together.texts().forEach(name -> names.set(Name.of(name), together, wants));
                }
            }
        }

        long steps(MapValue carried) {
            return WantedLabels.steps(carried, names);
        }

        void forEachSeeker(MapValue carried, Consumer<DocumentId> seeker) {
            WantedLabels.forEachSeeker(carried, seekers, names, seeker);
        }

        WantedLabels freeze() {
            return new WantedLabels(seekers.freeze(), sets.freeze(), names.freeze());
        }
    }
}
