/**
 * Reads and writes the state stores in terms of the engine: heads, and documents and renderings of any revision. Also
 * decides what of them is kept on the heap.
 */
package dev.strake.topology.store;
