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
 * one set of labels: its own values for these names. So each combination costs one look-up, and none where a name is missing:
 *
 * <pre>
 *   wanted    {app: db, tier: a} {app: db, tier: b} {app: web} {app: db, rack: r1}    by names: [app, tier] [app] [app, rack]
 *   carried   {app: db, tier: b, zone: z1}        looked up: {app: db, tier: b} {app: db}; no rack is carried
 * </pre>
 *
 * The cost does not depend on how many selectors contain the label {@code app: db}. It does depend on how many combinations
 * have a name that a document carries: whoever looks has that counted before.
 *
 * <p>They are finished or open for changes, like the {@link Multimap}s that they are made of.
 */
final class WantedLabels {

    static final WantedLabels EMPTY = new WantedLabels(Multimap.empty(), Multimap.empty(), Multimap.empty(), 0);

    /** The documents that want a set of labels. */
    final Multimap<MapValue, DocumentId> seekers;

    /** The wanted sets of labels by their names. */
    private final Multimap<Combination, MapValue> sets;

    /** The combinations by one of their names, or by each if a document need not carry any. */
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

    /** A schema is looked up like one more label. No author writes this one. */
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

        /** The names by which it is found. All documents have a schema, so that is one only where nothing else is wanted. */
        List<String> foundBy() {
            if (carried.isEmpty()) {
                return absent;
            }
            return List.of(carried.get(carried.size() > 1 && carried.get(0).equals(SCHEMA) ? 1 : 0));
        }

        int size() {
            return carried.size() + absent.size();
        }

        /** The one set with these names that carried labels match; null if there is none. */
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

        /* A document may carry several of the names by which it is found. The first one stands for it. */
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

    /** Labels, and a schema like one more of them: wanted ones of any document with the schema, or carried ones. */
    static MapValue withSchema(MapValue labels, String schema) {
        return labels.with(SCHEMA, new Text(schema));
    }

    /** The same, finished or open for changes. */
    WantedLabels copy(boolean isOpen) {
        return new WantedLabels(seekers.copy(isOpen), sets.copy(isOpen), combinations.copy(isOpen), names);
    }

    boolean isEmpty() {
        return seekers.isEmpty();
    }

    /** How many names all combinations have. */
    int names() {
        return names;
    }

    /** A document wants these labels, or no longer does. */
    void set(MapValue wanted, DocumentId document, boolean wants) {
        if (seekers.set(wanted, document, wants)) { // the first to want them, or the last
            Combination combination = Combination.of(wanted);
            if (sets.set(combination, wanted, wants)) {
                names += wants ? combination.size() : -combination.size();
                combination.foundBy().forEach(name -> combinations.set(Name.of(name), combination, wants));
            }
        }
    }

    /** The steps that a search for the seekers of these labels takes, those that it finds left out. */
    long steps(MapValue carried) {
        long steps = 0;
        for (String name : carried.keys()) {
            for (Combination each : combinations.get(Name.of(name))) {
                // Each name is looked up in the labels, and becomes an entry of the set that is looked up.
                steps += ChangeEffort.FOR_LOOKUP + 2L * each.size();
            }
        }
        return steps;
    }

    /** Names the documents whose wanted labels are among the carried ones; each document once. */
    void forEachSeeker(MapValue carried, Consumer<DocumentId> seeker) {
        forEachWanted(carried, (wanted, some) -> some.forEach(seeker));
    }

    /** Names the sets of wanted labels that are among the carried ones, with the documents that want them. */
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
