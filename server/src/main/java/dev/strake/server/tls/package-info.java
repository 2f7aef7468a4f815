/** Certificate and key of an instance: HTTP with TLS, and instances that prove to one another who they are. */
package dev.strake.server.tls;
