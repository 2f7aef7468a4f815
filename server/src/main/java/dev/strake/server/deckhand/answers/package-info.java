/** What Deckhand's clients are answered: YAML, documents with their defaults, and the body of every error. */
package dev.strake.server.deckhand.answers;
