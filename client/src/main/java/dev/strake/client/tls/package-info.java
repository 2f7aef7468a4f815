/** Certificates in PEM files, and whom a program trusts because of them. */
package dev.strake.client.tls;
