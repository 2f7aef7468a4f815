package dev.strake.engine.template.tree;

import dev.strake.engine.template.fault.Fault;

/** Where a walk reports what is wrong. Whoever wants to stop at the first fault throws. */
@FunctionalInterface
interface Faults {

    void report(Fault fault);

    /** For stacks that are looked at, and not checked. */
    Faults IGNORED = fault -> {};
}
