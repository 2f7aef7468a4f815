/** The connection to a Kafka cluster: client settings, and the topics of the contract. */
package dev.strake.server.kafka;
