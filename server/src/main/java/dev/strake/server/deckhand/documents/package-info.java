/** Sets of documents as Deckhand's API selects, sorts and compares them. */
package dev.strake.server.deckhand.documents;
