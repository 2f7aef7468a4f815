/** Reports the outcomes of changes and the statuses of workspaces to an observer. */
package dev.strake.topology.observe;
