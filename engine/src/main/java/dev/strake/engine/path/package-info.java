/** The path language of Deckhand: reading, writing, creating and removing places in a document tree. */
package dev.strake.engine.path;
