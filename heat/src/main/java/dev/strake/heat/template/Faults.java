package dev.strake.heat.template;

import dev.strake.heat.source.Fault;
import java.util.ArrayList;
import java.util.List;

/** Takes the faults that a walk finds. One that is to stop at the first fault throws. */
@FunctionalInterface
interface Faults {

    void report(Fault fault);

    /** Reports a fault of a resource: where a property is written, or the resource itself if it has no such property. */
    default void report(Resource resource, String property, Fault fault) {
        report(fault.in(resource.origin(property)));
    }

    /** For stacks that are looked at, and not checked. */
    Faults IGNORED = fault -> {};

    /** For a stack that is nested at a path. */
    default Faults inside(List<String> path) {
        return new Nested(this, path);
    }

    /** The whole path at once: a fault is copied once, however deep the stack is. */
    record Nested(Faults top, List<String> path) implements Faults {

        @Override
        public void report(Fault fault) {
            top.report(fault.inside(path));
        }

        @Override
        public Faults inside(List<String> below) {
            List<String> all = new ArrayList<>(path);
            all.addAll(below);
            return new Nested(top, all);
        }
    }
}
