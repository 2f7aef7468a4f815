/** What Strake measures about itself while it runs. */
package dev.strake.server.metrics;
