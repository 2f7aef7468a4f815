/** TLS from PEM files: certificates, private keys, and trust in authorities. */
package dev.strake.client.tls;
