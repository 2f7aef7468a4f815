package dev.strake.engine.template.tree;

import dev.strake.engine.template.environment.Registry;
import dev.strake.engine.template.fault.Fault;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What is known from earlier validations of a tree: templates that have been read, and nested stacks that have been
 * walked. A stack is walked again only if its template, the properties that are supplied to it, or a part of the
 * environment or a file that it or a stack below it looked at differs. So an answer is the same with and without memory.
 *
 * <p>Not for several threads at once.
 */
public final class Memory {

    /** Faults beyond this number are not reported, so a stack that has more is not kept. */
    private static final int MOST_FAULTS = 1_000;

    private static final int OF_STACK = 400;
    private static final int OF_PART = 120;
    private static final int OF_PARAMETER = 160;
    private static final int OF_FAULT = 600;

    private final long bytes;
    private final Template.Cache templates = new Template.Cache();
    private final Map<String, Instance> instances = new LinkedHashMap<>(16, 0.75f, true);
    private Settings settings;
    private long held;
    private int walked;

    /** @param bytes about how much heap the stacks that are kept may take; those used longest ago make room */
    public Memory(long bytes) {
        this.bytes = bytes;
    }

    /** Of a validation after which there is no other: it does not even record what it looks at. */
    public static Memory none() {
        return new Memory(-1);
    }

    /** Whether what a validation looks at has to be recorded. */
    boolean isRecorded() {
        return bytes >= 0;
    }

    private record Settings(Limits limits, boolean deep, boolean nested) {}

    /* What a stack is made from, beside the parts that are looked at. */
    private record Inputs(String file, int depth, TreeWalk.Level level, String type, Map<String, Supplied> supplied) {

        static Inputs of(Stack stack, TreeWalk.Level level, String type) {
            return new Inputs(stack.file(), stack.depth(), level, type, stack.supplied());
        }
    }

    /**
     * A stack that has been walked.
     *
     * @param node null if there is none
     * @param effort what walking it cost
     */
    record Instance(
            Inputs inputs,
            Map<Part, Object> seen,
            Set<Registry.Entry> mappings,
            List<Fault> faults,
            int stacks,
            int parameters,
            long effort,
            Node node,
            long weight) {}

    /** Begins a validation. Stacks that were walked with other limits or in another mode are forgotten. */
    void begin(Limits limits, boolean deep, boolean nested) {
        Settings now = new Settings(limits, deep, nested);
        if (settings == null || !settings.equals(now)) { // a record's equals takes 9 ms when it is called first
            instances.clear();
            held = 0;
            settings = now;
        }
        walked = 0;
    }

    Template.Cache templates() {
        return templates;
    }

    /** Forgets the templates of all files but these. */
    public void retain(String top, Set<String> files) {
        templates.retain(top, files);
    }

    /** What is known of a stack; null if it has to be walked. */
    Instance get(Stack stack, TreeWalk.Level level, String type) {
        Instance known = instances.get(stack.name());
        if (known == null || !known.inputs.equals(Inputs.of(stack, level, type))) {
            return null;
        }
        View view = stack.view();
        for (Map.Entry<Part, Object> each : known.seen.entrySet()) {
            if (!Objects.equals(each.getValue(), view.see(each.getKey()))) {
                return null;
            }
        }
        return known;
    }

    /** Keeps a stack that has been walked. */
    void put(
            Stack stack,
            TreeWalk.Level level,
            String type,
            Reading.Notes notes,
            int stacks,
            int parameters,
            long effort,
            Node node) {
        walked++;
        if (bytes <= 0 || notes.faults().size() > MOST_FAULTS) {
            return;
        }
        Map<Part, Object> seen = new HashMap<>();
        View view = stack.view();
        notes.parts().forEach(part -> seen.put(part, view.see(part)));
        // The stacks below are counted again, as they may make room before this one does.
        long weight = (long) OF_STACK * stacks
                + (long) OF_PART * seen.size()
                + (long) OF_FAULT * notes.faults().size()
                + (long) OF_PARAMETER * parameters;
        for (Supplied supplied : stack.supplied().values()) {
            weight += 2 * supplied.value().weight();
        }
        Instance made = new Instance(
                Inputs.of(stack, level, type),
                seen,
                Set.copyOf(notes.mappings()),
                List.copyOf(notes.faults()),
                stacks,
                parameters,
                effort,
                node,
                weight);
        Instance before = instances.put(stack.name(), made);
        held += weight - (before == null ? 0 : before.weight);
        for (Iterator<Instance> eldest = instances.values().iterator(); held > bytes && eldest.hasNext(); ) {
            held -= eldest.next().weight;
            eldest.remove();
        }
    }

    /** How many nested stacks of templates the last validation had to walk. */
    public int walked() {
        return walked;
    }

    /** About how much heap the stacks take that are kept, in bytes. */
    public long held() {
        return held;
    }
}
