/** Identities of documents: schema, layer and name, or schema and name; and digests of sets of rendered records. */
package dev.strake.engine.identity;
