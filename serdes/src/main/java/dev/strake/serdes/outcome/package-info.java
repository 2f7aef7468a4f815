/** What becomes of changes: outcomes and problems, as JSON for the world. */
package dev.strake.serdes.outcome;
