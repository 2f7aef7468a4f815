package dev.strake.heat.template;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.function.Expression;
import dev.strake.heat.function.ExpressionReader;
import dev.strake.heat.function.HotVersion;
import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.parameter.ParameterType;
import dev.strake.heat.python.Python;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.Origin;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.source.UnreadableSourceException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A template as written. It is read once for all its stacks. */
final class Template {

    private static final Set<String> SECTIONS =
            Set.of(HotVersion.KEY, "description", "parameter_groups", "parameters", "resources", "outputs");
    private static final Set<String> OUTPUT_KEYS = Set.of("description", "value", "condition");
    private static final int LONGEST = 524_288;

    private final SourceFile source;
    private final MapValue root;
    private final HotVersion version;
    private final Map<String, Origin> defaultOrigins = new HashMap<>();
    private Map<String, ParameterSchema> parameters;
    private List<Fault> parameterFaults;
    private FaultException noParameter;
    private Map<String, Expression> conditions;
    private Map<String, Expression> outputs;
    private final Map<Boolean, List<Fault>> outputFaults = new HashMap<>();
    private ResourceReader resources;

    private Template(SourceFile source, MapValue root, HotVersion version) {
        this.source = source;
        this.root = root;
        this.version = version;
    }

    /**
     * Reads a template.
     *
     * @throws FaultException if it is invalid
     */
    static Template of(SourceFile source) {
        if (source.text().length() > LONGEST) {
            throw new FaultException(Fault.raised(
                            FaultCode.LIMIT,
                            "RequestLimitExceeded",
                            "Request limit exceeded: Template size ("
                                    + source.text().length() + " bytes) exceeds maximum allowed size (" + LONGEST
                                    + " bytes).")
                    .in(source.name(), null));
        }
        Value tree;
        try {
            tree = source.tree();
        } catch (UnreadableSourceException e) {
            throw new FaultException(
                    Fault.of(FaultCode.TEMPLATE_PARSE, "Error parsing template " + source.name() + " " + e.getMessage())
                            .in(source.name(), null));
        }
        if (tree instanceof Null) {
            tree = MapValue.EMPTY;
        }
        if (!(tree instanceof MapValue root)) {
            throw new FaultException(
                    Fault.of(FaultCode.TEMPLATE_PARSE, "The template is not a JSON object or YAML mapping.")
                            .in(source.name(), null));
        }
        try {
            return new Template(source, root, HotVersion.of(root));
        } catch (FaultException e) {
            throw new FaultException(e.fault().in(source.name(), "." + HotVersion.KEY));
        }
    }

    SourceFile source() {
        return source;
    }

    Value description() {
        Value description = root.get("description");
        return description == null || !Python.isTrue(description) ? new Text("No description") : description;
    }

    /** Returns the parameter groups as written; null if there are none. */
    Value groups() {
        Value groups = root.get("parameter_groups");
        return groups == null || !Python.isTrue(groups) ? null : groups;
    }

    /** Returns the names of sections that this version does not have. */
    List<String> unknownSections() {
        return root.keys().stream()
                .filter(key ->
                        !SECTIONS.contains(key) && !(key.equals("conditions") && version.isFrom(HotVersion.NEWTON)))
                .toList();
    }

    /**
     * Returns the parameters in their order.
     *
     * @throws FaultException if a declaration is invalid
     */
    Map<String, ParameterSchema> parameters() {
        readParameters();
        if (noParameter != null) {
            throw noParameter;
        }
        return parameters;
    }

    /** Returns the faults of all declarations of parameters. */
    List<Fault> parameterFaults() {
        readParameters();
        return parameterFaults;
    }

    Origin defaultOrigin(String parameter) {
        return defaultOrigins.computeIfAbsent(
                parameter, name -> new Origin(source.name(), ".parameters." + name + ".default"));
    }

    MapValue written() {
        return root;
    }

    /** Returns the types of the parameters; empty if any declaration has a fault. */
    Map<String, ParameterType> declaredTypes() {
        Map<String, ParameterType> types = new HashMap<>();
        if (parameterFaults().isEmpty()) {
            parameters.forEach((name, schema) -> types.put(name, schema.type()));
        }
        return types;
    }

    private void readParameters() {
        if (parameters != null) {
            return;
        }
        parameters = new LinkedHashMap<>();
        parameterFaults = new ArrayList<>();
        MapValue section = MapValue.EMPTY;
        try {
            section = section("parameters");
        } catch (FaultException e) {
            noParameter = e;
            parameterFaults.add(e.fault());
        }
        boolean modulo = version.isFrom(HotVersion.OCATA);
        boolean tags = version.isFrom(HotVersion.QUEENS);
        section.forEach((name, written) -> {
            try {
                ParameterSchema schema = ParameterSchema.read(name, written, modulo, tags);
                parameters.put(name, schema);
                schema.checkConstraints();
            } catch (FaultException e) {
                Fault fault = e.fault().in(source.name(), ".parameters." + name);
                parameterFaults.add(fault);
                if (noParameter == null && !parameters.containsKey(name)) {
                    noParameter = new FaultException(fault);
                }
            }
        });
    }

    private MapValue section(String name) {
        Value section = root.get(name);
        if (section == null || section instanceof Null) {
            return MapValue.EMPTY;
        }
        if (section instanceof MapValue map) {
            return map;
        }
        throw new FaultException(Fault.of(
                        switch (name) {
                            case "parameters" -> FaultCode.PARAMETER_SCHEMA;
                            case "outputs" -> FaultCode.OUTPUT;
                            default -> FaultCode.RESOURCE_DEFINITION;
                        },
                        "\"" + name + "\" must contain a map of " + name + " maps. Found a ["
                                + Python.className(section) + "] instead")
                .in(source.name(), "." + name));
    }

    /**
     * Returns the conditions in their order.
     *
     * @throws FaultException if the section is no mapping
     */
    Map<String, Expression> conditions() {
        if (conditions == null) {
            Map<String, Expression> read = new LinkedHashMap<>();
            Value section = version.isFrom(HotVersion.NEWTON) ? root.get("conditions") : null;
            if (section instanceof MapValue map) {
                map.forEach((name, written) ->
                        read.put(name, ExpressionReader.condition(version, written, "conditions." + name)));
            } else if (section != null && !(section instanceof Null)) {
                throw new FaultException(Fault.of(
                                FaultCode.CONDITION,
                                "Conditions validation error",
                                List.of(),
                                "Condition definitions must be a map. Found a " + Python.type(section) + " instead")
                        .in(source.name(), ".conditions"));
            }
            conditions = read;
        }
        return conditions;
    }

    /** Returns the valid resources, and the faults of the others. */
    ResourceReader resources() {
        if (resources == null) {
            resources = ResourceReader.read(section("resources"), version, source.name());
        }
        return resources;
    }

    int resourceCount() {
        return root.get("resources") instanceof MapValue map ? map.size() : 0;
    }

    /** Returns the faults in the shape of the outputs. */
    List<Fault> outputFaults(boolean nested) {
        return outputFaults.computeIfAbsent(nested, this::findOutputFaults);
    }

    private List<Fault> findOutputFaults(boolean nested) {
        List<Fault> faults = new ArrayList<>();
        MapValue section;
        try {
            section = section("outputs");
        } catch (FaultException e) {
            return List.of(e.fault());
        }
        section.forEach((name, written) -> {
            String place = ".outputs." + name;
            if (!(written instanceof MapValue map)) {
                faults.add(Fault.of(
                                FaultCode.OUTPUT,
                                "\"outputs\" must contain a map of output maps. Found a [" + Python.className(written)
                                        + "] instead")
                        .in(source.name(), place));
                return;
            }
            for (String key : map.keys()) {
                boolean known =
                        OUTPUT_KEYS.contains(key) && !(key.equals("condition") && version.isBefore(HotVersion.NEWTON));
                if (!known && nested) {
                    faults.add(Fault.of(
                                    FaultCode.OUTPUT,
                                    "\"" + key + "\" is not a valid keyword inside a output definition")
                            .in(source.name(), place + "." + key));
                }
            }
            if (!map.has("value")) {
                faults.add(Fault.of(
                                FaultCode.OUTPUT,
                                nested ? "" : "Output validation error",
                                nested ? List.of() : List.of("outputs", name),
                                "Each output definition must contain a value key.")
                        .in(source.name(), place));
            }
        });
        return faults;
    }

    /** Returns the values of the outputs, read but not evaluated. */
    Map<String, Expression> outputs() {
        if (outputs == null) {
            Map<String, Expression> read = new LinkedHashMap<>();
            ExpressionReader reader = new ExpressionReader(version);
            if (root.get("outputs") instanceof MapValue section) {
                section.forEach((name, written) -> {
                    if (written instanceof MapValue map && map.has("value")) {
                        read.put(name, reader.read(map.get("value"), "outputs." + name + ".value"));
                    }
                });
            }
            outputs = read;
        }
        return outputs;
    }

    /** Returns the condition of an output; null if there is none. */
    Expression outputCondition(String name) {
        Value written = version.isFrom(HotVersion.NEWTON)
                        && root.get("outputs") instanceof MapValue section
                        && section.get(name) instanceof MapValue map
                ? map.get("condition")
                : null;
        return written == null || written instanceof Null
                ? null
                : ExpressionReader.condition(version, written, "outputs." + name + ".condition");
    }

    /** Returns the names of the outputs. */
    Set<String> outputNames() {
        return root.get("outputs") instanceof MapValue section ? Set.copyOf(section.keys()) : Set.of();
    }

    /** The templates that have been read, and the faults of invalid ones. */
    static final class Cache {

        private record Read(Template template, FaultException failure) {}

        private final IdentityHashMap<SourceFile, Read> read = new IdentityHashMap<>();

        /**
         * Returns the template in a file.
         *
         * @throws FaultException if it is invalid
         */
        Template of(SourceFile source) {
            Read known = read.get(source);
            if (known == null) {
                known = read(source);
                read.put(source, known);
            }
            if (known.failure != null) {
                throw known.failure;
            }
            return known.template;
        }

        private static Read read(SourceFile source) {
            try {
                return new Read(Template.of(source), null);
            } catch (FaultException e) {
                return new Read(null, e);
            }
        }
    }
}
