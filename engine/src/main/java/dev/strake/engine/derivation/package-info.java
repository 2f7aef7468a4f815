/** Documents derived from others: the kinds of documents that derive, and what they may read. */
package dev.strake.engine.derivation;
