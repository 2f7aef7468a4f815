/** Takes revisions out of the stores that retention does not keep. */
package dev.strake.topology.history;
