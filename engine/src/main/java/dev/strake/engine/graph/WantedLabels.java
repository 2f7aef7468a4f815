package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.TextHash;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Finds the documents whose selector (or target) matches the labels of a given document.
 *
 * <p>Most selectors use the same few label names. For each combination of names that is in use, a document matches at most
 * one set of labels: its own values for these names. So each combination costs a lookup, or none if a name is missing:
 *
 * <pre>
 *   wanted    {app: db, tier: a} {app: db, tier: b} {app: web} {app: db, rack: r1}    by names: [app, tier] [app] [app, rack]
 *   carried   {app: db, tier: b, zone: z1}        looked up: {app: db, tier: b} {app: db}; no rack is carried
 * </pre>
 *
 * The cost does not depend on how many selectors contain the label {@code app: db}. It depends on how many combinations
 * have a name that a document carries. The caller counts these {@link #steps} before a search.
 *
 * <p>An instance is finished or open for changes, like the {@link Multimap}s in it.
 */
final class WantedLabels {

    static final WantedLabels EMPTY = new WantedLabels(Multimap.empty(), Multimap.empty(), Multimap.empty(), 0);

    /** The documents by the set of labels that they want. */
    final Multimap<MapValue, DocumentId> seekers;

    /** The wanted sets of labels by their names. */
    private final Multimap<Combination, MapValue> sets;

    /** The combinations by one of their names, or by each name if all wanted values are null. */
    private final Multimap<Name, Combination> combinations;

    private int names;

    private WantedLabels(
            Multimap<MapValue, DocumentId> seekers,
            Multimap<Combination, MapValue> sets,
            Multimap<Name, Combination> combinations,
            int names) {
        this.seekers = seekers;
        this.sets = sets;
        this.combinations = combinations;
        this.names = names;
    }

    /** The name of a label for the schema. No author uses this name. */
    private static final String SCHEMA = "\0schema";

    /**
     * The names of a set of wanted labels, sorted.
     *
     * @param carried names that a document has to carry
     * @param absent names with a wanted null, which matches an absent label, too, as in Deckhand
     */
    private record Combination(List<String> carried, List<String> absent) {

        static Combination of(MapValue wanted) {
            List<String> carried = new ArrayList<>();
            List<String> absent = new ArrayList<>();
            wanted.keys().stream()
                    .sorted()
                    .forEach(name -> (wanted.get(name) instanceof Null ? absent : carried).add(name));
            return new Combination(List.copyOf(carried), List.copyOf(absent));
        }

        /** The names in the index: the schema, which all documents have, only if no other label is wanted. */
        List<String> foundBy() {
            if (carried.isEmpty()) {
                return absent;
            }
            return List.of(carried.get(carried.size() > 1 && carried.get(0).equals(SCHEMA) ? 1 : 0));
        }

        int size() {
            return carried.size() + absent.size();
        }

        /** The only set with these names that carried labels can match; null if they match none. */
        MapValue in(MapValue labels) {
            for (String name : carried) {
                if (!labels.has(name)) {
                    return null;
                }
            }
            MapValue.Builder set = MapValue.builder();
            for (String name : carried) {
                set.put(name, labels.get(name));
            }
            for (String name : absent) {
                Value value = labels.get(name);
                if (value != null && !(value instanceof Null)) {
                    return null;
                }
                set.put(name, Null.NULL);
            }
            return set.build();
        }

        /* A document may carry several names that are in the index. Only the first counts, to find a match once. */
        boolean isFoundBy(String name, MapValue labels) {
            for (String other : foundBy()) {
                if (labels.has(other)) {
                    return other.equals(name);
                }
            }
            return false;
        }

        @Override
        public int hashCode() {
            return TextHash.of(new Name(carried).hashCode(), new Name(absent).hashCode());
        }
    }

    /** Adds the schema to wanted or carried labels, as another label. */
    static MapValue withSchema(MapValue labels, String schema) {
        return labels.with(SCHEMA, new Text(schema));
    }

    /** A copy, finished or open for changes. */
    WantedLabels copy(boolean isOpen) {
        return new WantedLabels(seekers.copy(isOpen), sets.copy(isOpen), combinations.copy(isOpen), names);
    }

    boolean isEmpty() {
        return seekers.isEmpty();
    }

    /** The total number of names in all combinations. */
    int names() {
        return names;
    }

    /** Adds a document to those that want these labels, or removes it. */
    void set(MapValue wanted, DocumentId document, boolean wants) {
        if (seekers.set(wanted, document, wants)) { // first seeker added, or last one removed
            Combination combination = Combination.of(wanted);
            if (sets.set(combination, wanted, wants)) {
                names += wants ? combination.size() : -combination.size();
                combination.foundBy().forEach(name -> combinations.set(Name.of(name), combination, wants));
            }
        }
    }

    /** The steps of a search for the seekers of these labels, not counting the seekers that it finds. */
    long steps(MapValue carried) {
        long steps = 0;
        for (String name : carried.keys()) {
            for (Combination each : combinations.get(Name.of(name))) {
                // Each name costs a lookup in the labels, and an entry of the set that is looked up.
                steps += ChangeEffort.FOR_LOOKUP + 2L * each.size();
            }
        }
        return steps;
    }

    /** Calls back once for each document whose wanted labels match the carried ones. */
    void forEachSeeker(MapValue carried, Consumer<DocumentId> seeker) {
        forEachWanted(carried, (wanted, some) -> some.forEach(seeker));
    }

    /** Calls back for each set of wanted labels that matches the carried ones, with the documents that want it. */
    void forEachWanted(MapValue carried, BiConsumer<MapValue, Collection<DocumentId>> wanted) {
        for (String name : carried.keys()) {
            for (Combination each : combinations.get(Name.of(name))) {
                MapValue set = each.isFoundBy(name, carried) ? each.in(carried) : null;
                Collection<DocumentId> some = set == null ? List.of() : seekers.get(set);
                if (!some.isEmpty()) {
                    wanted.accept(set, some);
                }
            }
        }
    }
}
