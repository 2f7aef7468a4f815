/** The layer graph: which documents layer on or substitute from which, and what a change can reach. */
package dev.strake.engine.graph;
