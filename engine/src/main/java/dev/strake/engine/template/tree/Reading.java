package dev.strake.engine.template.tree;

import dev.strake.engine.template.environment.Registry;
import dev.strake.engine.template.fault.Fault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Records what a walk looks at and what it reports, for the tree as a whole and for each nested stack on the way. */
final class Reading {

    /** What was looked at and reported in a stack and all below it. */
    static final class Notes {

        private final Set<Part> parts = new HashSet<>();
        private final Set<Registry.Entry> mappings = new HashSet<>();
        private final List<Fault> faults = new ArrayList<>();

        /** The parts that were looked at. */
        Set<Part> parts() {
            return parts;
        }

        /** The mappings that some resource took. */
        Set<Registry.Entry> mappings() {
            return mappings;
        }

        /** What was reported, with paths from the stack on. */
        List<Fault> faults() {
            return faults;
        }
    }

    private final boolean isRecorded;
    private final Notes whole = new Notes();
    private final Deque<Notes> open = new ArrayDeque<>(List.of(whole));

    /** @param isRecorded whether parts are recorded; mappings and faults always are */
    Reading(boolean isRecorded) {
        this.isRecorded = isRecorded;
    }

    /** The notes of the tree as a whole. */
    Notes whole() {
        return whole;
    }

    /** The notes of the innermost stack that is being walked. */
    Notes current() {
        return open.peek();
    }

    void lookedAt(Part part) {
        if (isRecorded) {
            current().parts.add(part);
        }
    }

    /** Begins a stack; what is recorded until its end is recorded for the stacks around it as well. */
    Notes begin() {
        Notes notes = new Notes();
        open.push(notes);
        return notes;
    }

    /** Ends the stack that was begun last. */
    void end() {
        Notes ended = open.pop();
        add(ended.parts, ended.mappings);
    }

    /** Adds what was recorded when an equal stack was walked before. */
    void add(Set<Part> parts, Set<Registry.Entry> mappings) {
        current().parts.addAll(parts);
        current().mappings.addAll(mappings);
    }
}
