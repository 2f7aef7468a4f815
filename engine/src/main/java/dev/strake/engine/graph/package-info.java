/** The layer graph: who layers on whom, who substitutes from whom, and what a change can reach. */
package dev.strake.engine.graph;
