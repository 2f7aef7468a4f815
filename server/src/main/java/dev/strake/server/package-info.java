/** Strake as a service: the pipeline with HTTP and metrics beside it, alone or with a broker of its own. */
package dev.strake.server;
