package dev.strake.engine.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.organicdesign.fp.collections.PersistentHashMap;
import org.organicdesign.fp.collections.PersistentHashMap.MutHashMap;
import org.organicdesign.fp.collections.PersistentHashSet;
import org.organicdesign.fp.collections.PersistentHashSet.MutHashSet;

/**
 * A persistent map from a key to several members. A map is either finished, and never changes, or open for changes.
 * An open map shares nearly all nodes with the finished map from which it was copied. So a failed change needs no
 * rollback. It changes nodes that it has copied in place, so a thousand new members cost little more than one.
 *
 * <p>Keys and members must have hash codes that authors cannot choose; texts are wrapped in {@link Name}s.
 *
 * <p>Most keys have few members. Lists hold these, because they take a fraction of the memory of hash sets.
 */
final class Multimap<K, V> {

    private static final int LIST_LIMIT = 8;

    private final PersistentHashMap<K, Collection<V>> before; // the content, or what an open map started with
    private final Map<K, MutHashSet<V>> growing; // null if the map is finished
    private MutHashMap<K, Collection<V>> members; // null while nothing has changed

    private Multimap(PersistentHashMap<K, Collection<V>> before, boolean isOpen) {
        this.before = before;
        this.growing = isOpen ? new HashMap<>(0) : null;
    }

    static <K, V> Multimap<K, V> empty() {
        return new Multimap<>(PersistentHashMap.empty(), false);
    }

    /** A finished or open copy. After an open map was copied, it must not be used. */
    Multimap<K, V> copy(boolean isOpen) {
        if (growing != null) {
            growing.forEach((key, set) -> put(key, set.immutable()));
        }
        return new Multimap<>(members == null ? before : members.immutable(), isOpen);
    }

    boolean isEmpty() {
        return (members == null ? before : members).size() == 0;
    }

    /** The members under a key, in no particular order; empty if there are none. */
    Collection<V> get(K key) {
        Collection<V> found = growing == null ? null : growing.get(key);
        if (found == null) {
            found = members == null ? before.get(key) : members.get(key);
        }
        return found == null ? List.of() : found;
    }

    /** The equal key that the map already holds, or else this key. Sharing keys saves heap. */
    K shared(K key) {
        return (members == null ? before.entry(key) : members.entry(key)).match(entry -> entry.getKey(), () -> key);
    }

    /**
     * Adds a member to a key, or removes it. Adding twice or removing twice changes nothing.
     *
     * @return whether the key got its first member, or lost its last one
     */
    boolean set(K key, V member, boolean present) {
        if (growing == null) {
            throw new IllegalStateException("the map is finished and cannot change");
        }
        Collection<V> old = get(key);
        return present ? plus(key, member, old) : minus(key, member, old);
    }

    private boolean plus(K key, V member, Collection<V> old) {
        if (isSet(old)) {
            growing(key, old).put(member);
        } else if (old.isEmpty()) {
            put(key, List.of(member));
            return true;
        } else if (!old.contains(member)) {
            List<V> longer = new ArrayList<>(old);
            longer.add(member);
            put(key, longer.size() > LIST_LIMIT ? PersistentHashSet.of(longer) : List.copyOf(longer));
        }
        return false;
    }

    private boolean minus(K key, V member, Collection<V> old) {
        if (!old.contains(member)) {
            return false;
        }
        if (old.size() == 1) {
            growing.remove(key);
            members = members().without(key);
            return true;
        }
        if (isSet(old)) {
            growing(key, old).without(member);
        } else {
            put(key, old.stream().filter(other -> !other.equals(member)).toList());
        }
        return false;
    }

    private static boolean isSet(Collection<?> members) {
        return members instanceof PersistentHashSet || members instanceof MutHashSet;
    }

    /* The set is changed in place, so the result of put and without need not be stored. */
    private MutHashSet<V> growing(K key, Collection<V> old) {
        if (old instanceof MutHashSet<V> already) {
            return already;
        }
        MutHashSet<V> begun = ((PersistentHashSet<V>) old).mutable();
        growing.put(key, begun);
        return begun;
    }

    private void put(K key, Collection<V> collection) {
        members = members().assoc(key, collection);
    }

    private MutHashMap<K, Collection<V>> members() {
        return members == null ? before.mutable() : members;
    }
}
