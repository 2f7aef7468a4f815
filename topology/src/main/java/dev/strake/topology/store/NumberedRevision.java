package dev.strake.topology.store;

import dev.strake.serdes.store.RevisionsLayout.Revision;

/** A revision with its number. */
public record NumberedRevision(long number, Revision revision) {}
