/** Rendering without Kafka: what a set of documents would render to as a separate workspace. */
package dev.strake.cli.offline;
