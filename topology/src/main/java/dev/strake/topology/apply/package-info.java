/** Processes a change from its record to its outcome: reads, plans, renders, stores, publishes and answers. */
package dev.strake.topology.apply;
