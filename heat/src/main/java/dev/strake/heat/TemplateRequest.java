package dev.strake.heat;

import dev.strake.engine.problem.Location;
import dev.strake.engine.tree.MapValue;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.source.Sources;
import dev.strake.heat.template.Limits;
import java.util.List;

/**
 * A template to be validated with all that it nests.
 *
 * @param files what the template and the environments name
 * @param environment null if there is none
 * @param environmentFiles names of environments among the files, in order; if there are any, the other one is ignored
 * @param parameters values given directly; over an environment they win, under environment files they lose
 * @param showNested whether the answer has the parameters of nested templates
 * @param ignoreErrors codes of errors of services, of which Heat knows one
 */
public record TemplateRequest(
        SourceFile template,
        Sources files,
        SourceFile environment,
        List<String> environmentFiles,
        MapValue parameters,
        boolean showNested,
        List<String> ignoreErrors,
        Mode mode,
        Limits limits) {

    /** How much is checked. */
    public enum Mode {
        /** What Heat's own call checks: nested templates only as far as it cannot help it. The first fault ends it. */
        AS_HEAT,
        /** Everything at every depth that needs no values; all faults are found. */
        DEEP
    }

    public TemplateRequest {
        environmentFiles = List.copyOf(environmentFiles);
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
        return environment != null && name.equals(environment.name()) ? environment : files.get(name);
    }
}
