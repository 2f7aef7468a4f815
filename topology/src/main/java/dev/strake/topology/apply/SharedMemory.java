package dev.strake.topology.apply;

import dev.strake.engine.derivation.KeptTrees;
import dev.strake.serdes.text.Limits;
import dev.strake.topology.store.CacheBudget;
import dev.strake.topology.store.LiveHeads;
import dev.strake.topology.store.Memory;

/**
 * The heap that all tasks of an instance share, whatever thread they run on.
 *
 * @param documents what they may use for parsed documents
 * @param heads what they may use for heads
 * @param live the heads that they hold, for others
 * @param trees trees of templates that they remember
 * @param largeChanges lets them work on only so many large changes at a time
 */
public record SharedMemory(
        CacheBudget documents, CacheBudget heads, LiveHeads live, KeptTrees trees, LargeChanges largeChanges) {

    /** The part of the heap for trees of templates. A tree that has no room is validated as a whole after each edit. */
    private static final int TREES_PART_OF_HEAP = 12;

    /**
     * What settings and the heap allow.
     *
     * @param limits of the changes that they work on
     * @param tasks the largest number of tasks
     */
    public static SharedMemory of(Memory memory, Limits limits, int tasks, LiveHeads live) {
        return new SharedMemory(
                CacheBudget.of(memory, tasks),
                CacheBudget.ofHeads(tasks),
                live,
                new KeptTrees(Runtime.getRuntime().maxMemory() / TREES_PART_OF_HEAP),
                new LargeChanges(limits));
    }
}
