/** Queries that select parts of documents, in JSONPath. */
package dev.strake.serdes.query;
