/**
 * The program around the topology: the {@code strake} command, the embedded broker, configuration, HTTP, metrics and
 * health. The only place that starts threads and reads files.
 */
package dev.strake.cli;
