/** Queries about workspaces, answered from the stores while the stream runs. */
package dev.strake.topology.query;
