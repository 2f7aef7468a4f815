/** A Kafka broker inside this JVM, for {@code strake up}, the demo and tests. */
package dev.strake.server.broker;
