package dev.strake.heat.template;

import dev.strake.engine.problem.Location;
import dev.strake.engine.tree.MapValue;
import dev.strake.heat.source.SourceFile;
import java.util.List;
import java.util.Map;

/**
 * A template to be validated with all that it nests.
 *
 * @param files what the template and the environments name, by the names that they use; those that are templates are
 *     checked for their version and their parameters, used or not
 * @param showNested whether the answer has the parameters of nested templates
 * @param ignoreErrors codes of errors of services, of which Heat knows one
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
        /** What Heat's own call checks: nested templates only as far as it cannot help it. The first fault ends it. */
        AS_HEAT,
        /** Everything at every depth that needs no values; all faults are found. */
        DEEP
    }

    /**
     * What gives values to parameters.
     *
     * @param alone the environment that comes with the request; null if there is none
     * @param names of environments among the files, in order; if there are any, the other one is ignored
     * @param given values of the request; over an environment they win, under environments among the files they lose
     */
    public record Environments(SourceFile alone, List<String> names, MapValue given) {

        public Environments {
            names = List.copyOf(names);
        }
    }

    public TemplateRequest {
        ignoreErrors = List.copyOf(ignoreErrors);
    }

    /** File and line of a place; null if the file is not part of the request. */
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
