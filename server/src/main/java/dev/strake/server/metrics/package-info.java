/** Metrics of the running process. */
package dev.strake.server.metrics;
