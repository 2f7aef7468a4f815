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
 * A persistent map from a key to several members: every edit ends in a new map that shares nearly everything with the old
 * one, so a change that fails half-way leaves nothing to undo.
 *
 * <p>Keys and members are things with hash codes that authors cannot choose; texts are {@link Name}s.
 *
 * <p>Most keys have few members. Those are kept in lists, which take a fraction of the memory of hash sets.
 */
final class Multimap<K, V> implements Index<K, V> {

    private static final int LIST_LIMIT = 8;

    private final PersistentHashMap<K, Collection<V>> members;

    private Multimap(PersistentHashMap<K, Collection<V>> members) {
        this.members = members;
    }

    static <K, V> Multimap<K, V> empty() {
        return new Multimap<>(PersistentHashMap.empty());
    }

    boolean isEmpty() {
        return members.size() == 0;
    }

    @Override
    public Collection<V> get(K key) {
        Collection<V> found = members.get(key);
        return found == null ? List.of() : found;
    }

    /** Begins to make another map of this one. */
    Edit<K, V> edit() {
        return new Edit<>(this);
    }

    /**
     * A map in the making. Nodes that it copied from the first map are changed in place, so a thousand new
     * members cost little more than one.
     */
    static final class Edit<K, V> implements Index<K, V> {

        private final Multimap<K, V> before;
        private MutHashMap<K, Collection<V>> members; // null as long as nothing is different
        private final Map<K, MutHashSet<V>> growing = new HashMap<>(0);

        private Edit(Multimap<K, V> before) {
            this.before = before;
        }

        @Override
        public Collection<V> get(K key) {
            Collection<V> found = growing.get(key);
            if (found == null) {
                found = members == null ? before.members.get(key) : members.get(key);
            }
            return found == null ? List.of() : found;
        }

        /** The equal key that the map holds already, or else this key. Sharing it saves keeping equal keys twice. */
        K shared(K key) {
            return (members == null ? before.members.entry(key) : members.entry(key))
                    .match(entry -> entry.getKey(), () -> key);
        }

        /**
         * Adds a member to a key, or removes it. Adding twice or removing twice changes nothing.
         *
         * @return whether the key got its first member, or lost its last one
         */
        boolean set(K key, V member, boolean present) {
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

        /** The finished map; this edit is over. */
        Multimap<K, V> freeze() {
            growing.forEach((key, set) -> put(key, set.immutable()));
            return members == null ? before : new Multimap<>(members.immutable());
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
            return members == null ? before.members.mutable() : members;
        }
    }
}
