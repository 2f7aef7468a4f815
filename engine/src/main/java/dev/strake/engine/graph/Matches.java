package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The documents that selectors match, for all children of one change. Caches the matches of a selector, because many
 * children have the same one. Also caches those of its non-null labels: some selectors differ only in wanted nulls.
 *
 * <pre>
 *   {app: db, tier: null}     carriers of app: db     [d1 d2 d3 d4]      cached for all selectors that want this label
 *                             without a tier          [d1 d2    d4]      cached for this selector
 * </pre>
 *
 * Each of many selectors may match many documents, so the cache is bounded.
 */
final class Matches {

    /** The limit of documents in all cached lists. Bounds the heap when opening a workspace, with no limit of work. */
    private static final int MOST_KEPT = 4_000_000;

    private final Multimap<Label, DocumentId> carriers;
    private final Function<DocumentId, Facts> documents;
    private final ChangeEffort effort;
    private final Map<MapValue, List<Facts>> known = new HashMap<>();
    private long kept;

    /**
     * @param carriers the documents that carry a label
     * @param effort counts every document that is compared with a selector
     */
    Matches(Multimap<Label, DocumentId> carriers, Function<DocumentId, Facts> documents, ChangeEffort effort) {
        this.carriers = carriers;
        this.documents = documents;
        this.effort = effort;
    }

    /** An upper bound for the number of documents to inspect for a selector. */
    long most(MapValue selector) {
        List<Facts> found = known.get(selector);
        return found == null ? Label.mostCandidates(selector, carriers) : found.size();
    }

    /** The documents that a selector matches, in any layer and any order. */
    List<Facts> of(MapValue selector) {
        List<Facts> found = known.get(selector);
        return found == null ? kept(selector, search(selector)) : found;
    }

    private List<Facts> kept(MapValue selector, List<Facts> found) {
        if (kept + found.size() <= MOST_KEPT) {
            kept += found.size();
            known.put(selector, found);
        }
        return found;
    }

    private List<Facts> search(MapValue selector) {
        MapValue nulls = part(selector, true);
        if (nulls.isEmpty() || nulls.size() == selector.size()) {
            return matching(selector); // without both kinds of values, there is nothing to split
        }
        List<Facts> result = new ArrayList<>();
        for (Facts carrier : of(part(selector, false))) {
            effort.spend(1L + nulls.size());
            if (Label.isWanted(carrier.labels(), nulls)) {
                result.add(carrier);
            }
        }
        return result;
    }

    private static MapValue part(MapValue selector, boolean ofNulls) {
        MapValue.Builder part = MapValue.builder();
        for (int i = 0; i < selector.size(); i++) {
            if ((selector.valueAt(i) instanceof Null) == ofNulls) {
                part.put(selector.keyAt(i), selector.valueAt(i));
            }
        }
        return part.build();
    }

    private List<Facts> matching(MapValue selector) {
        Collection<DocumentId> candidates = Label.candidates(selector, carriers, null);
        List<Facts> result = new ArrayList<>();
        for (DocumentId candidate : candidates) {
            effort.spend(ChangeEffort.FOR_LOOKUP + selector.size());
            Facts facts = documents.apply(candidate);
            if (Label.isWanted(facts.labels(), selector)) {
                result.add(facts);
            }
        }
        return result;
    }
}
