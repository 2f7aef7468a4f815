/** Streams outcomes and rendered documents over HTTP as server-sent events. */
package dev.strake.server.events;
