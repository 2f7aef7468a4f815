/** Documents that come from others: the kinds of documents that derive, and what they may read for it. */
package dev.strake.engine.derivation;
