/** What programs around the pipeline do with its topics: publish changes, wait for outcomes, follow rendered documents. */
package dev.strake.client;
