/** The pipeline as a running thing: the topology in Kafka Streams, its settings, its health and its end. */
package dev.strake.server.pipeline;
