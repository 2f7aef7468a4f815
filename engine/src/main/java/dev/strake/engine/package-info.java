/**
 * Deckhand's document language as pure functions: documents, layering, substitution, replacement, the layer graph and
 * incremental rendering. Nothing here knows Kafka, files, threads or the clock, so that the same code renders a folder
 * on a laptop and a partition in a cluster, and so that millions of random cases can be tried in a minute.
 */
package dev.strake.engine;
