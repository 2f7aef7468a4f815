/** Clients of the pipeline and its service: publish changes, wait for outcomes, follow rendered documents. */
package dev.strake.client;
