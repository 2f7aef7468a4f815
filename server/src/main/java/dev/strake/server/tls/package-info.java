/** The certificate and key of an instance, for HTTP with TLS and for mutual TLS between instances. */
package dev.strake.server.tls;
