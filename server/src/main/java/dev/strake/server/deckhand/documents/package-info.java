/** Selects, sorts and compares documents as Deckhand's API does. */
package dev.strake.server.deckhand.documents;
