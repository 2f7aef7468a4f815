/**
 * Reads and writes the state stores in terms of the engine: heads, and documents and renderings of any revision. Also
 * caches parts of them on the heap.
 */
package dev.strake.topology.store;
