/** Rendering without Kafka: what a set of files would render to as a workspace of its own. */
package dev.strake.service.offline;
