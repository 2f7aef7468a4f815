/** Spans of changes, for whoever collects traces with OpenTelemetry. */
package dev.strake.server.tracing;
