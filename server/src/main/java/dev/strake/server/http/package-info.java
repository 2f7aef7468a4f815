/** Strake's HTTP side: metrics, health and state for people and programs that do not speak Kafka. */
package dev.strake.server.http;
