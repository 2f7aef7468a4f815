package dev.strake.engine.template.tree;

import dev.strake.engine.limit.EffortExceededException;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.template.environment.Environment;
import dev.strake.engine.template.environment.EnvironmentMerge;
import dev.strake.engine.template.environment.EnvironmentReader;
import dev.strake.engine.template.environment.Registry;
import dev.strake.engine.template.fault.Fault;
import dev.strake.engine.template.fault.FaultCode;
import dev.strake.engine.template.fault.FaultException;
import dev.strake.engine.template.function.HotVersion;
import dev.strake.engine.template.parameter.ParameterSchema;
import dev.strake.engine.template.parameter.ParameterType;
import dev.strake.engine.template.source.SourceFile;
import dev.strake.engine.template.source.Sources;
import dev.strake.engine.template.source.UnreadableSourceException;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** One request from its beginning to its end: environments, then the tree. */
public final class Validation {

    /** The only code that can be ignored: that a service is not available, which nobody asks for here. */
    private static final String SERVICE_UNAVAILABLE = "99001";

    /** What is wrong with a file, wherever it is used, is reported once. */
    private static final Set<FaultCode> OF_FILES = EnumSet.of(
            FaultCode.PARAMETER_SCHEMA,
            FaultCode.TEMPLATE_VERSION,
            FaultCode.TEMPLATE_VERSION_MISSING,
            FaultCode.TEMPLATE_PARSE,
            FaultCode.OUTPUT);

    /** More than anybody reads: a fault in a template that is used a thousand times is reported a thousand times. */
    private static final int MOST_FAULTS = 1_000;

    private final SourceFile source;
    private final Sources files;
    private final Limits limits;
    private final boolean deep;
    private final boolean nested;
    private final Template.Cache templates = new Template.Cache();
    private final Set<Fault> faults = new LinkedHashSet<>();

    public Validation(SourceFile source, Sources files, Limits limits, boolean deep, boolean nested) {
        this.source = source;
        this.files = files;
        this.limits = limits;
        this.deep = deep;
        this.nested = nested;
    }

    /** What came of it; see the answer for what the parts are. */
    public record Outcome(
            Node root,
            Environment environment,
            Map<String, String> typesMet,
            List<Fault> faults,
            List<String> unusedDefaults,
            List<Registry.Entry> unusedMappings) {}

    /**
     * Checks the codes of errors to ignore.
     *
     * @throws FaultException if one of them does not exist
     */
    public void requireKnownCodes(List<String> codes) {
        List<String> unknown =
                codes.stream().filter(code -> !code.equals(SERVICE_UNAVAILABLE)).toList();
        if (!unknown.isEmpty()) {
            throw new FaultException(
                    Fault.raised(FaultCode.REQUEST, "HTTPBadRequest", "Invalid codes in ignore_errors : " + unknown));
        }
    }

    /**
     * Does it.
     *
     * @throws FaultException at the first fault, where Heat stops there
     */
    public Outcome run(SourceFile environmentFile, List<String> environmentFiles, MapValue given) {
        Template template = top();
        MapValue alone = environmentFile == null || !environmentFiles.isEmpty()
                ? MapValue.EMPTY
                : EnvironmentReader.sections(environmentFile, EnvironmentReader.REQUEST);
        Map<String, ParameterType> declared = declared(template);
        Environment environment = environmentFiles.isEmpty()
                ? EnvironmentReader.alone(alone, given, environmentFile == null ? source : environmentFile)
                : EnvironmentMerge.of(environmentFiles, files, given, declared);
        Map<String, Value> defaults = new HashMap<>();
        environment.parameterDefaults().forEach(defaults::put);
        Stack.Context context = new Stack.Context(
                files,
                templates,
                defaults,
                new RenderLimits(8L << 20, 256, 0, limits.effort(), Long.MAX_VALUE).budget());
        TreeWalk walk = new TreeWalk(context, limits, environment.defaultOrigins(), deep, nested);
        Node root = null;
        try {
            if (faults.isEmpty() || template.parameterFaults().isEmpty()) {
                root = walk.top(
                        template,
                        schemas(template, environment),
                        supplied(environment, template.parameters()),
                        environment.registry(),
                        this::report);
            }
        } catch (EffortExceededException e) {
            report(Fault.raised(FaultCode.LIMIT, "RequestLimitExceeded", "validating the tree " + e.getMessage()));
        } catch (FaultException e) {
            if (!deep) {
                throw e;
            }
            report(e.fault());
        }
        return new Outcome(
                root,
                environment,
                walk.typesMet(),
                List.copyOf(faults),
                environment.parameterDefaults().keys().stream()
                        .filter(name -> !declared.containsKey(name))
                        .toList(),
                unused(environment.registry(), walk.mappingsUsed()));
    }

    private Template top() {
        try {
            return templates.of(source);
        } catch (FaultException e) {
            Fault fault = e.fault();
            if (fault.code() != FaultCode.TEMPLATE_PARSE) {
                throw e;
            }
            throw new FaultException(Fault.raised(
                            fault.code(),
                            "HTTPBadRequest",
                            "Template not in valid format: "
                                    + fault.message()
                                            .replace(
                                                    "Error parsing template " + source.name(),
                                                    "Error parsing template [root stack]"))
                    .in(fault.file(), fault.place()));
        }
    }

    private void report(Fault fault) {
        if (!deep) {
            throw new FaultException(fault);
        }
        boolean known = OF_FILES.contains(fault.code())
                && faults.stream()
                        .anyMatch(other -> other.code() == fault.code()
                                && Objects.equals(other.file(), fault.file())
                                && Objects.equals(other.place(), fault.place()));
        if (!known && faults.size() < MOST_FAULTS) {
            faults.add(fault);
        }
    }

    private static List<Registry.Entry> unused(Registry registry, Set<Registry.Entry> used) {
        List<Registry.Entry> unused = new ArrayList<>();
        registry.entries().forEach(entry -> {
            if (!used.contains(entry)) {
                unused.add(entry);
            }
        });
        return unused;
    }

    /* The parameters of all templates that were sent, each of which is checked for that. */
    private Map<String, ParameterType> declared(Template top) {
        Map<String, ParameterType> declared = new HashMap<>();
        for (String name : new TreeSet<>(files.names())) {
            SourceFile file = files.get(name);
            if (file == null || !isTemplate(file)) {
                continue;
            }
            try {
                add(templates.of(file), declared);
            } catch (FaultException e) {
                report(e.fault());
            }
        }
        add(top, declared);
        return declared;
    }

    private void add(Template template, Map<String, ParameterType> declared) {
        List<Fault> wrong = template.parameterFaults();
        wrong.forEach(this::report);
        if (wrong.isEmpty()) {
            template.parameters().forEach((name, schema) -> declared.put(name, schema.type()));
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

    /* At the top, a default of the environment counts as one that was given: it is not checked. */
    private static Map<String, ParameterSchema> schemas(Template template, Environment environment) {
        Map<String, ParameterSchema> schemas = new LinkedHashMap<>();
        template.parameters().forEach((name, schema) -> {
            Value other = environment.parameterDefaults().get(name);
            schemas.put(name, other == null || other == Null.NULL ? schema : schema.withDefault(other));
        });
        return schemas;
    }

    private static Map<String, Supplied> supplied(Environment environment, Map<String, ParameterSchema> schemas) {
        Map<String, Supplied> supplied = new LinkedHashMap<>();
        environment.parameters().forEach((name, value) -> {
            if (value != Null.NULL || !schemas.containsKey(name)) { // null is no value
                supplied.put(
                        name,
                        new Supplied(
                                value, false, environment.parameterOrigins().get(name)));
            }
        });
        return supplied;
    }
}
