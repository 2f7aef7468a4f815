package dev.strake.topology.store;

import dev.strake.topology.layout.RevisionsLayout.Revision;

/** A revision with its number. */
public record NumberedRevision(long number, Revision revision) {}
