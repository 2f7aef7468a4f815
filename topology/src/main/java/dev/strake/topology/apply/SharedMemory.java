package dev.strake.topology.apply;

import dev.strake.topology.store.DocumentCache;
import dev.strake.topology.store.LiveHeads;

/** The heap that all tasks of an instance share, on any thread. */
public record SharedMemory(DocumentCache documents, LiveHeads live) {}
