package dev.strake.heat;

import dev.strake.engine.tree.MapValue;
import dev.strake.heat.source.Fault;
import java.util.List;

/**
 * What came of validating a tree.
 *
 * @param stacks the stacks of the tree, the one at the top first; none if a fault leaves no tree
 * @param parameters how many parameters all stacks have together
 * @param needsInput the parameters that need input, each name once
 * @param faults all that is wrong; in the mode of Heat's own call the first
 * @param effort the work, in units of {@link dev.strake.engine.limit.Budget}
 */
public record ValidatedTree(
        List<Stack> stacks, int parameters, List<Findings.Needed> needsInput, List<Fault> faults, long effort) {

    /** How a tree is. */
    public enum Status {
        /** Nothing is wrong, and every parameter has a default or a value. */
        COMPLETE,
        /** Nothing is wrong, but some parameters have neither default nor value. */
        NEEDS_INPUT,
        /** Something is wrong. */
        INVALID
    }

    /**
     * A stack of the tree.
     *
     * @param path the names of the resources from the top down; empty at the top
     * @param schema the parameters in the form of Heat's answer, without those of nested stacks; hidden values are masked
     */
    public record Stack(List<String> path, MapValue schema) {

        public Stack {
            path = List.copyOf(path);
        }
    }

    public Status status() {
        if (!faults.isEmpty()) {
            return Status.INVALID;
        }
        return needsInput.isEmpty() ? Status.COMPLETE : Status.NEEDS_INPUT;
    }
}
