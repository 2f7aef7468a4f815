/** Outcomes and rendered documents over HTTP as they come: server-sent events. */
package dev.strake.server.events;
