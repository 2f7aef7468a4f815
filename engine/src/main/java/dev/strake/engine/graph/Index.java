package dev.strake.engine.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.organicdesign.fp.collections.PersistentHashMap;
import org.organicdesign.fp.collections.PersistentHashSet;

/**
 * A persistent multimap: every change makes a new index that shares nearly everything with the old one, so a change
 * that fails half-way leaves nothing to undo.
 *
 * <p>Most keys have one member or a few; those are kept in plain lists, which take a fraction of a hash set's memory.
 */
final class Index<K, V> {

    private static final int LIST_LIMIT = 8;

    private final PersistentHashMap<K, Collection<V>> members;

    private Index(PersistentHashMap<K, Collection<V>> members) {
        this.members = members;
    }

    static <K, V> Index<K, V> empty() {
        return new Index<>(PersistentHashMap.empty());
    }

    boolean isEmpty() {
        return members.size() == 0;
    }

    /** The members under a key, in no particular order; empty if there are none. */
    Collection<V> get(K key) {
        Collection<V> found = members.get(key);
        return found == null ? List.of() : found;
    }

    /** The key that is in use here already, if it equals this one: so that equal keys need not be kept twice. */
    K shared(K key) {
        return members.entry(key).match(entry -> entry.getKey(), () -> key);
    }

    Index<K, V> plus(K key, V member) {
        Collection<V> old = get(key);
        if (old.contains(member)) {
            return this;
        }
        if (old instanceof PersistentHashSet<V> set) {
            return new Index<>(members.assoc(key, set.put(member)));
        }
        List<V> longer = new ArrayList<>(old);
        longer.add(member);
        return new Index<>(
                members.assoc(key, longer.size() > LIST_LIMIT ? PersistentHashSet.of(longer) : List.copyOf(longer)));
    }

    Index<K, V> minus(K key, V member) {
        Collection<V> old = get(key);
        if (!old.contains(member)) {
            return this;
        }
        if (old.size() == 1) {
            return new Index<>(members.without(key));
        }
        if (old instanceof PersistentHashSet<V> set) {
            return new Index<>(members.assoc(key, set.without(member)));
        }
        return new Index<>(members.assoc(
                key, old.stream().filter(other -> !other.equals(member)).toList()));
    }
}
