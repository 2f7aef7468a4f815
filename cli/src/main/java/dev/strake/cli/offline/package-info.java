/** Rendering without Kafka: what a set of documents would render to as a workspace of its own. */
package dev.strake.cli.offline;
