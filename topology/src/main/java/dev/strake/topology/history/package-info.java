/** Removes from the stores the revisions that retention does not keep. */
package dev.strake.topology.history;
