/**
 * What the state stores hold, as the engine sees it: heads, documents and renderings of any revision, read and written,
 * and what of them is kept on the heap.
 */
package dev.strake.topology.store;
