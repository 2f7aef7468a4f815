/** The HTTP API of Deckhand, so that Airship can use Strake instead. Routes only translate. */
package dev.strake.server.deckhand;
