/** Removes revisions that retention does not keep from the stores. */
package dev.strake.topology.history;
