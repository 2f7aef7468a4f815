/** Questions about workspaces, answered from the stores beside the stream. */
package dev.strake.topology.query;
