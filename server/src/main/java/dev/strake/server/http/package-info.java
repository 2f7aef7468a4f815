/** The HTTP server of Strake, for metrics, health, state and changes. */
package dev.strake.server.http;
