/** Tells an observer how changes are answered and how workspaces stand. */
package dev.strake.topology.observe;
