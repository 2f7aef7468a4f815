package dev.strake.heat.template;

import dev.strake.engine.problem.Location;
import dev.strake.engine.tree.MapValue;
import dev.strake.heat.source.SourceFile;
import java.util.List;
import java.util.Map;

/**
 * A request to validate a template with all nested templates.
 *
 * @param files files by the names that the template and the environments use. The versions and parameters of all
 *     templates among them are checked, used or not
 * @param showNested whether the answer contains the parameters of nested templates
 * @param ignoreErrors codes of service errors to ignore; Heat knows one
 */
public record TemplateRequest(
        SourceFile template,
        Map<String, SourceFile> files,
        Environments environments,
        boolean showNested,
        List<String> ignoreErrors,
        Mode mode,
        TreeLimits limits) {

    /** How much is checked. */
    public enum Mode {
        /** Only what Heat's own call checks, which is little in nested templates. Stops at the first fault. */
        AS_HEAT,
        /** Everything at any depth that needs no values. Finds all faults. */
        DEEP
    }

    /**
     * The sources of values for parameters.
     *
     * @param alone the environment in the request itself; null if there is none
     * @param names the names of environments among the files, in order; if there are any, {@code alone} is ignored
     * @param given values of the request; they override {@code alone}, but environments among the files override them
     */
    public record Environments(SourceFile alone, List<String> names, MapValue given) {

        public Environments {
            names = List.copyOf(names);
        }
    }

    public TemplateRequest {
        ignoreErrors = List.copyOf(ignoreErrors);
    }

    /** Returns file and line of a place; null if the file is not part of the request. */
    public Location locate(String file, String place) {
        SourceFile source = source(file);
        return source == null ? null : source.locate(place);
    }

    private SourceFile source(String name) {
        if (name == null) {
            return null;
        }
        if (name.equals(template.name())) {
            return template;
        }
        SourceFile alone = environments.alone();
        return alone != null && name.equals(alone.name()) ? alone : files.get(name);
    }
}
