package dev.strake.heat;

import dev.strake.engine.tree.MapValue;
import dev.strake.heat.source.Fault;
import java.util.List;

/**
 * The result of validating a tree.
 *
 * @param stacks the stacks of the tree, the root stack first; empty if a fault prevents a tree
 * @param parameters the number of parameters of all stacks
 * @param needsInput the parameters that need input, each name once
 * @param faults all faults; only the first in the mode {@code AS_HEAT}
 * @param effort the work, in units of {@link dev.strake.engine.limit.Budget}
 */
public record ValidatedTree(
        List<Stack> stacks, int parameters, List<Findings.Needed> needsInput, List<Fault> faults, long effort) {

    /** The status of a tree. */
    public enum Status {
        /** No faults, and each parameter has a default or a value. */
        COMPLETE,
        /** No faults, but some parameters have neither default nor value. */
        NEEDS_INPUT,
        /** At least one fault. */
        INVALID
    }

    /**
     * A stack of the tree.
     *
     * @param path the names of resources from the root stack to this one; empty for the root stack
     * @param schema the parameters in the form of Heat's answer, without nested stacks and with hidden values masked
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
