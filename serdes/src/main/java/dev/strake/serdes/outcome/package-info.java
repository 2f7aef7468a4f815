/** The results of changes: outcomes and problems, as JSON for consumers. */
package dev.strake.serdes.outcome;
