package dev.strake.engine.template.tree;

import dev.strake.engine.template.environment.Environment;
import dev.strake.engine.template.fault.FaultException;
import dev.strake.engine.template.parameter.ParameterType;
import dev.strake.engine.template.source.SourceFile;
import dev.strake.engine.template.source.Sources;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What a validation looked at, and what it saw there. */
public final class Reads {

    /** Nothing was looked at. */
    public static final Reads NONE = new Reads(Map.of());

    private final Map<Part, Object> seen;

    private Reads(Map<Part, Object> seen) {
        this.seen = seen;
    }

    static Reads of(Set<Part> parts, View view) {
        Map<Part, Object> seen = new HashMap<>();
        parts.forEach(part -> seen.put(part, view.see(part)));
        return new Reads(seen);
    }

    /** The parts that were looked at. */
    public Set<Part> parts() {
        return Set.copyOf(seen.keySet());
    }

    /** Whether a part was there that was looked at. */
    public boolean found(Part part) {
        return seen.get(part) != null;
    }

    /** Whether other files and environments would show the same, so that the outcome would be the same. */
    public boolean wouldBeSame(
            SourceFile template, Sources files, Validation.Environments environments, Memory memory) {
        View view = new View(files, memory.templates(), Map.of(), null, null);
        boolean ofEnvironment = false;
        for (Map.Entry<Part, Object> each : seen.entrySet()) {
            if (!isOfFile(each.getKey())) {
                ofEnvironment = true;
            } else if (!Objects.equals(each.getValue(), view.see(each.getKey()))) {
                return false;
            }
        }
        return !ofEnvironment || wouldBeSame(view, template, files, environments, memory);
    }

    private boolean wouldBeSame(
            View ofFiles, SourceFile template, Sources files, Validation.Environments environments, Memory memory) {
        View view;
        try {
            Map<String, ParameterType> declared =
                    ofFiles.declared(memory.templates().of(template), Faults.IGNORED);
            Environment environment = environments.merged(template, files, declared);
            view = View.of(files, memory.templates(), environment);
        } catch (FaultException e) {
            return false; // they made one environment when this was seen
        }
        return seen.entrySet().stream()
                .allMatch(each -> isOfFile(each.getKey()) || Objects.equals(each.getValue(), view.see(each.getKey())));
    }

    private static boolean isOfFile(Part part) {
        return part instanceof Part.File || part instanceof Part.Declarations;
    }
}
