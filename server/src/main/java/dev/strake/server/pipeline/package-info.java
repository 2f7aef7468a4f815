/** The running pipeline: the topology in Kafka Streams, its settings, its health and its end. */
package dev.strake.server.pipeline;
