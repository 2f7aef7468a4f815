/** Strake as a service: the pipeline with HTTP and metrics, optionally with an embedded broker. */
package dev.strake.server;
