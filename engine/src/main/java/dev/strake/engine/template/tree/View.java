package dev.strake.engine.template.tree;

import dev.strake.engine.template.environment.Environment;
import dev.strake.engine.template.environment.Registry;
import dev.strake.engine.template.fault.Fault;
import dev.strake.engine.template.fault.FaultException;
import dev.strake.engine.template.function.HotVersion;
import dev.strake.engine.template.parameter.ParameterType;
import dev.strake.engine.template.source.Origin;
import dev.strake.engine.template.source.SourceFile;
import dev.strake.engine.template.source.Sources;
import dev.strake.engine.template.source.UnreadableSourceException;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The files and the environment of a validation, part by part.
 *
 * @param defaults what the environments say about parameters of these names
 * @param registry as the stack sees it that looks at it
 * @param values null below the top
 */
record View(
        Sources sources, Template.Cache templates, Map<String, Default> defaults, Registry registry, Values values) {

    /** A default of an environment. */
    record Default(Value value, Origin origin) {}

    /** The values for the template at the top. */
    record Values(MapValue values, Map<String, Origin> origins) {}

    /** What a file declares if it is a template. */
    record Declarations(Map<String, ParameterType> types, List<Fault> faults) {}

    /** The view of the top of a tree. */
    static View of(Sources sources, Template.Cache templates, Environment environment) {
        Map<String, Default> defaults = new HashMap<>();
        environment
                .parameterDefaults()
                .forEach((name, value) -> defaults.put(
                        name, new Default(value, environment.defaultOrigins().get(name))));
        return new View(
                sources,
                templates,
                defaults,
                environment.registry(),
                new Values(environment.parameters(), environment.parameterOrigins()));
    }

    /** The view of a stack that sees another registry. */
    View below(Registry other) {
        return new View(sources, templates, defaults, other, null);
    }

    /** A part: equal for equal parts. Null if there is no such part. */
    Object see(Part part) {
        if (part instanceof Part.File each) {
            SourceFile source = sources.get(each.name());
            return source == null ? null : source.fingerprint();
        }
        if (part instanceof Part.Declarations each) {
            SourceFile source = sources.get(each.name());
            return source == null ? null : declarations(source, templates);
        }
        if (part instanceof Part.Default each) {
            return defaults.get(each.parameter());
        }
        if (part instanceof Part.Mapping each) {
            return registry.candidates(each.type());
        }
        return part instanceof Part.MappingsByName ? registry.byName() : values;
    }

    /** The parameters of all templates among the files, and of the one at the top, with their types. */
    Map<String, ParameterType> declared(Template top, Faults wrong) {
        Map<String, ParameterType> declared = new HashMap<>();
        for (String name : new TreeSet<>(sources.names())) {
            if (see(new Part.Declarations(name)) instanceof Declarations own) {
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
