/** The metrics of fetchers and appliers. */
package dev.strake.remote.metrics;
