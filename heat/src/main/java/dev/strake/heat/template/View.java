package dev.strake.heat.template;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.heat.function.HotVersion;
import dev.strake.heat.parameter.Environment;
import dev.strake.heat.parameter.ParameterType;
import dev.strake.heat.parameter.Registry;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.Origin;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.source.Sources;
import dev.strake.heat.source.UnreadableSourceException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The files and the environment of a validation.
 *
 * @param defaults what the environments say about parameters of these names
 */
record View(Sources sources, Template.Cache templates, Map<String, Default> defaults) {

    /** A default of an environment. */
    record Default(Value value, Origin origin) {}

    /** What a file declares if it is a template. */
    record Declarations(Map<String, ParameterType> types, List<Fault> faults) {}

    /** The view with the defaults of an environment. */
    View with(Environment environment) {
        Map<String, Default> given = new HashMap<>();
        environment
                .parameterDefaults()
                .forEach((name, value) -> given.put(
                        name, new Default(value, environment.defaultOrigins().get(name))));
        return new View(sources, templates, given);
    }

    /** The parameters of all templates among the files, and of the one at the top, with their types. */
    Map<String, ParameterType> declared(Template top, Faults wrong) {
        Map<String, ParameterType> declared = new HashMap<>();
        for (String name : new TreeSet<>(sources.names())) {
            Declarations own = declarations(sources.get(name), templates);
            if (own != null) {
                own.faults.forEach(wrong::report);
                declared.putAll(own.types);
            }
        }
        top.declarations().faults.forEach(wrong::report);
        declared.putAll(top.declarations().types);
        return declared;
    }

    /** What a file declares; null if it is no template. */
    private static Declarations declarations(SourceFile file, Template.Cache templates) {
        if (!isTemplate(file)) {
            return null;
        }
        try {
            return templates.of(file).declarations();
        } catch (FaultException e) {
            return new Declarations(Map.of(), List.of(e.fault()));
        }
    }

    private static boolean isTemplate(SourceFile file) {
        if (!Registry.isTemplate(file.name()) && !file.text().contains(HotVersion.KEY)) {
            return false; // a script or the like: not worth to be read
        }
        try {
            return file.tree() instanceof MapValue map && map.has(HotVersion.KEY);
        } catch (UnreadableSourceException e) {
            return false; // whoever uses it will say so
        }
    }
}
