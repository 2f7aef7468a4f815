package dev.strake.engine.render;

import dev.strake.engine.graph.Owners;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.organicdesign.fp.collections.PersistentHashMap;

/** The owners in force in a head revision, each with its result. Immutable. */
public final class Derivations {

    public static final Derivations NONE = new Derivations(PersistentHashMap.empty(), Owners.NONE, 0, 0);

    private final PersistentHashMap<DocumentId, Derived> byOwner;
    private final Owners owners;
    private final long entries;
    private final long heldReads;

    private Derivations(PersistentHashMap<DocumentId, Derived> byOwner, Owners owners, long entries, long heldReads) {
        this.byOwner = byOwner;
        this.owners = owners;
        this.entries = entries;
        this.heldReads = heldReads;
    }

    public boolean isEmpty() {
        return byOwner.size() == 0;
    }

    /** The number of owners, reads and derived documents. */
    public long entries() {
        return entries;
    }

    /** The size of all reads, in the unit of {@link ReadLimit}. */
    long readsSize() {
        return heldReads;
    }

    /** The result of each owner. */
    public Map<DocumentId, Derived> all() {
        return byOwner;
    }

    /** The result of an owner; null if the document is not an owner, or not in force. */
    public Derived of(DocumentId owner) {
        return byOwner.get(owner);
    }

    public Owners owners() {
        return owners;
    }

    /** The owners that derive a document now. If there are several, all of them have a problem. */
    public List<DocumentId> deriving(DocumentKey document) {
        return owners(document, false);
    }

    /** The owners that derived a document before, but cannot derive it now. Consumers keep the document. */
    List<DocumentId> stale(DocumentKey document) {
        return owners(document, true);
    }

    private List<DocumentId> owners(DocumentKey document, boolean stale) {
        List<DocumentId> result = new ArrayList<>(1);
        for (DocumentId owner : owners.of(document)) {
            if (of(owner).isStale() == stale) {
                result.add(owner);
            }
        }
        return result;
    }

    /** The first owner, by identity, that derived a document before but cannot now; null if there is none. */
    public DocumentId lastOwner(DocumentKey document) {
        return stale(document).stream().min(Comparator.naturalOrder()).orElse(null);
    }

    /** Whether a document has an owner, even if only one that cannot derive it now. */
    public boolean owns(DocumentKey document) {
        return !owners.of(document).isEmpty();
    }

    /**
     * These derivations with other results.
     *
     * @param changes the new result of each changed owner; null if the document is no longer an owner in force
     */
    public Derivations with(Map<DocumentId, Derived> changes) {
        if (changes.isEmpty()) {
            return this;
        }
        Owners edit = owners.edit();
        PersistentHashMap<DocumentId, Derived> result = byOwner;
        long count = entries;
        long held = heldReads;
        for (Map.Entry<DocumentId, Derived> change : changes.entrySet()) {
            DocumentId owner = change.getKey();
            Derived before = byOwner.get(owner);
            Derived now = change.getValue();
            count += entries(now) - entries(before);
            held += heldReads(owner, now) - heldReads(owner, before);
            edit.set(
                    owner,
                    before == null ? Set.of() : before.reads().keySet(),
                    now == null ? Set.of() : now.reads().keySet(),
                    before == null ? Set.of() : before.documents().keySet(),
                    now == null ? Set.of() : now.documents().keySet());
            result = now == null ? result.without(owner) : result.assoc(owner, now);
        }
        return new Derivations(result, edit.freeze(), count, held);
    }

    private static long heldReads(DocumentId owner, Derived derived) {
        return derived == null ? 0 : ReadLimit.size(owner, derived.reads().keySet());
    }

    private static long entries(Derived derived) {
        return derived == null
                ? 0
                : 1L + derived.reads().size() + derived.documents().size();
    }
}
