package dev.strake.topology.apply;

import dev.strake.topology.store.CacheBudget;
import dev.strake.topology.store.LiveHeads;
import dev.strake.topology.store.Memory;

/**
 * The heap that all tasks of an instance share, whatever thread they run on.
 *
 * @param documents what they may use for parsed documents
 * @param heads what they may use for heads
 * @param live the heads that they hold, for others
 */
public record SharedMemory(CacheBudget documents, CacheBudget heads, LiveHeads live) {

    /**
     * What settings and the heap allow.
     *
     * @param tasks the largest number of tasks
     */
    public static SharedMemory of(Memory memory, int tasks, LiveHeads live) {
        return new SharedMemory(CacheBudget.of(memory, tasks), CacheBudget.ofHeads(tasks), live);
    }
}
