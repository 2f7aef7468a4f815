/** The HTTP API of Deckhand, so that Airship can be pointed at Strake. Routes translate; what they say is answered elsewhere. */
package dev.strake.server.deckhand;
