package dev.strake.topology.apply;

import dev.strake.topology.store.CacheBudget;
import dev.strake.topology.store.Memory;

/**
 * The heap that all tasks of an instance share, whatever thread they run on.
 *
 * @param documents what they may use for parsed documents
 * @param heads what they may use for heads
 * @param largeChanges lets them work on only so many bytes of changes at a time
 */
public record SharedMemory(CacheBudget documents, CacheBudget heads, LargeChanges largeChanges) {

    /**
     * What settings and the heap allow.
     *
     * @param tasks the largest number of tasks
     */
    public static SharedMemory of(Memory memory, int tasks) {
        return new SharedMemory(CacheBudget.of(memory, tasks), CacheBudget.ofHeads(tasks), new LargeChanges());
    }
}
