/** Immutable document trees with shared structure, their JSON form and their fingerprints. */
package dev.strake.engine.tree;
