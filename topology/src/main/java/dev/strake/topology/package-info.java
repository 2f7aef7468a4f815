/**
 * The Kafka Streams topology that turns document changes into rendered documents, with its processors and state stores.
 * A processor reads, calls the engine, writes and forwards; the rules of the domain are the engine's.
 */
package dev.strake.topology;
