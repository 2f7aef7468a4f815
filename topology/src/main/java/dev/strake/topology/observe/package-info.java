/** Tells whoever watches what becomes of changes and how workspaces stand. */
package dev.strake.topology.observe;
