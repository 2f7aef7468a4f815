package dev.strake.heat.parameter;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.Origin;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.source.UnreadableSourceException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Reads environments and checks their sections. */
public final class EnvironmentReader {

    private static final Set<String> SECTIONS = Set.of(
            "parameters",
            "parameter_defaults",
            "resource_registry",
            "encrypted_param_names",
            "event_sinks",
            "parameter_merge_strategies");

    /** Heat's prefix of messages about an environment in the request. */
    public static final String REQUEST = "Environment not in valid format: ";

    private EnvironmentReader() {}

    /**
     * Returns the sections of an environment.
     *
     * @param prefix Heat's prefix of messages
     * @throws FaultException if the file is no environment
     */
    public static MapValue sections(SourceFile file, String prefix) {
        Value tree;
        try {
            tree = file.tree();
        } catch (UnreadableSourceException e) {
            throw wrong(prefix + "Error parsing the environment: " + e.getMessage(), file, null);
        }
        if (tree instanceof Null) {
            return MapValue.EMPTY;
        }
        if (!(tree instanceof MapValue sections)) {
            throw wrong(prefix + "The environment is not a valid YAML mapping data type.", file, null);
        }
        for (int i = 0; i < sections.size(); i++) {
            String section = sections.keyAt(i);
            if (!SECTIONS.contains(section)) {
                throw wrong(prefix + "environment has wrong section \"" + section + "\"", file, "." + section);
            }
            if (sections.valueAt(i) instanceof Null) {
                throw wrong(prefix + "environment has empty section \"" + section + "\"", file, "." + section);
            }
        }
        return sections;
    }

    /** Returns a section that has to be a mapping; empty if it is missing. */
    static MapValue map(MapValue sections, String name, SourceFile file) {
        Value section = sections.get(name);
        if (section == null) {
            return MapValue.EMPTY;
        }
        if (section instanceof MapValue map) {
            return map;
        }
        throw wrong("the section \"" + name + "\" of the environment is not a mapping", file, "." + name);
    }

    /**
     * Converts a single environment.
     *
     * @param given values of the request, which override those of the environment
     */
    public static Environment alone(MapValue sections, MapValue given, SourceFile file) {
        MapValue parameters = map(sections, "parameters", file);
        MapValue defaults = map(sections, "parameter_defaults", file);
        Map<String, Origin> origins = origins(parameters, file, ".parameters.");
        given.keys().forEach(origins::remove);
        return new Environment(
                parameters.updatedWith(given),
                defaults,
                Registry.of(
                        map(sections, "resource_registry", file),
                        at -> new Origin(file.name(), ".resource_registry" + at)),
                sections.get("event_sinks") instanceof ListValue list ? list : ListValue.EMPTY,
                origins,
                origins(defaults, file, ".parameter_defaults."));
    }

    static Map<String, Origin> origins(MapValue section, SourceFile file, String above) {
        Map<String, Origin> origins = new HashMap<>();
        section.keys().forEach(name -> origins.put(name, new Origin(file.name(), above + name)));
        return origins;
    }

    static FaultException wrong(String message, SourceFile file, String place) {
        return new FaultException(Fault.raised(
                        FaultCode.ENVIRONMENT_FORMAT,
                        message.startsWith(REQUEST) ? "HTTPBadRequest" : "ValueError",
                        message)
                .in(file.name(), place));
    }
}
