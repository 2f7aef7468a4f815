package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.TextHash;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One label of a document, or one entry of a selector or of a target's labels. */
record Label(String key, Value value) {

    /* Written by hand: opening a workspace calls these often, before the JVM has compiled the generated methods. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Label label && key.equals(label.key) && value.equals(label.value);
    }

    @Override
    public int hashCode() {
        return TextHash.of(TextHash.of(key), value.hashCode());
    }

    static List<Label> of(MapValue labels) {
        List<Label> result = new ArrayList<>(labels.size());
        for (int i = 0; i < labels.size(); i++) {
            result.add(new Label(labels.keyAt(i), labels.valueAt(i)));
        }
        return result;
    }

    /** Whether carried labels match the wanted ones. A wanted null also matches an absent label, as in Deckhand. */
    static boolean isWanted(MapValue carried, MapValue wanted) {
        for (int i = 0; i < wanted.size(); i++) {
            Value label = carried.get(wanted.keyAt(i));
            Value value = wanted.valueAt(i);
            boolean equal = label == null ? value instanceof Null : label.equals(value);
            if (!equal) {
                return false;
            }
        }
        return true;
    }

    /**
     * Candidates for a match: the documents with the wanted label that is carried least often. Wanted nulls are left out,
     * because a document without the label matches them, too. If all wanted values are null, the candidates are the
     * documents that carry one of these nulls, as in Deckhand.
     *
     * @param all the documents of the wanted schema, which are the candidates if they are fewer; null for any schema
     */
    static Collection<DocumentId> candidates(
            MapValue wanted, Multimap<Label, DocumentId> carriers, Collection<DocumentId> all) {
        if (wanted.isEmpty() && all != null) {
            return all;
        }
        Collection<DocumentId> fewest = fewest(wanted, carriers);
        if (fewest == null) {
            Set<DocumentId> ofNulls = new HashSet<>(); // a document may carry several nulls
            of(wanted).forEach(label -> ofNulls.addAll(carriers.get(label)));
            return ofNulls;
        }
        return all == null || fewest.size() <= all.size() ? fewest : all;
    }

    /** The number of candidates in any schema. Counts a document repeatedly if it carries several wanted nulls. */
    static long mostCandidates(MapValue wanted, Multimap<Label, DocumentId> carriers) {
        Collection<DocumentId> fewest = fewest(wanted, carriers);
        return fewest != null
                ? fewest.size()
                : of(wanted).stream()
                        .mapToLong(label -> carriers.get(label).size())
                        .sum();
    }

    /* The documents with the wanted label that is carried least often; null if all wanted values are null. */
    private static Collection<DocumentId> fewest(MapValue wanted, Multimap<Label, DocumentId> carriers) {
        Collection<DocumentId> fewest = null;
        for (Label label : of(wanted)) {
            if (!(label.value instanceof Null)) {
                Collection<DocumentId> some = carriers.get(label);
                fewest = fewest == null || some.size() < fewest.size() ? some : fewest;
            }
        }
        return fewest;
    }
}
