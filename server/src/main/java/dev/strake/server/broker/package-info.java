/** A Kafka broker inside this JVM, for {@code strake up}, for the demo and for tests. */
package dev.strake.server.broker;
