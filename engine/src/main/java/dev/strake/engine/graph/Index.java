package dev.strake.engine.graph;

import java.util.Collection;

/** An index, finished or in the making: whatever can be asked for the members under a key. */
@FunctionalInterface
interface Index<K, V> {

    /** The members under a key, in no particular order; empty if there are none. */
    Collection<V> get(K key);
}
