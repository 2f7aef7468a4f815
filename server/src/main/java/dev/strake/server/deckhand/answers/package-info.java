/** The response formats of Deckhand: YAML, documents with defaults, and the body of errors. */
package dev.strake.server.deckhand.answers;
