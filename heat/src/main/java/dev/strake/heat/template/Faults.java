package dev.strake.heat.template;

import dev.strake.heat.source.Fault;
import java.util.ArrayList;
import java.util.List;

/** Receives the faults of a walk. An implementation that stops at the first fault throws it. */
@FunctionalInterface
interface Faults {

    void report(Fault fault);

    /** Reports a fault of a resource: at a property, or at the resource itself if it has no such property. */
    default void report(Resource resource, String property, Fault fault) {
        report(fault.in(resource.origin(property)));
    }

    /** Ignores the faults of stacks that are walked without checks. */
    Faults IGNORED = fault -> {};

    /** Returns the receiver for a stack that is nested at a path. */
    default Faults inside(List<String> path) {
        return new Nested(this, path);
    }

    /** Keeps the whole path, so that a fault is copied only once at any depth. */
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
