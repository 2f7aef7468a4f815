package dev.strake.heat.template;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.EffortExceededException;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import dev.strake.heat.parameter.Environment;
import dev.strake.heat.parameter.EnvironmentMerge;
import dev.strake.heat.parameter.EnvironmentReader;
import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.parameter.ParameterType;
import dev.strake.heat.parameter.Registry;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.source.Sources;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    /** Units of work for a fault that is reported, whether it is kept or not. */
    private static final int FOR_FAULT = 20;

    private final SourceFile source;
    private final Sources files;
    private final Limits limits;
    private final boolean deep;
    private final boolean nested;
    private final Budget budget;
    private final Set<Fault> faults = new LinkedHashSet<>();
    private final Set<OfFile> reported = new HashSet<>();
    private boolean exceeded;

    /** A fault of a file, wherever the file is used. */
    private record OfFile(FaultCode code, String file, String place) {}

    public Validation(SourceFile source, Sources files, Limits limits, boolean deep, boolean nested) {
        this.source = source;
        this.files = files;
        this.limits = limits;
        this.deep = deep;
        this.nested = nested;
        this.budget = new RenderLimits(8L << 20, 256, 0, limits.effort(), Long.MAX_VALUE).budget();
    }

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
     * The environments of a request.
     *
     * @param alone the environment that comes with the request; null if there is none
     * @param names of environments among the files; if there are any, the other one is ignored
     * @param given values of the request
     */
    public record Environments(SourceFile alone, List<String> names, MapValue given) {

        Environment merged(SourceFile template, Sources files, Map<String, ParameterType> declared, Budget budget) {
            if (!names.isEmpty()) {
                return EnvironmentMerge.of(names, files, given, declared, budget);
            }
            MapValue sections =
                    alone == null ? MapValue.EMPTY : EnvironmentReader.sections(alone, EnvironmentReader.REQUEST);
            return EnvironmentReader.alone(sections, given, alone == null ? template : alone);
        }
    }

    /**
     * Does it.
     *
     * @throws FaultException at the first fault, where Heat stops there
     */
    public TemplateAnswer run(Environments environments) {
        try {
            return validated(environments);
        } catch (EffortExceededException e) {
            exceeded = true;
            throw new FaultException(exceeded(e));
        }
    }

    private TemplateAnswer validated(Environments environments) {
        View ofFiles = new View(files, new Template.Cache(), Map.of());
        Template template = top(ofFiles);
        if (environments.alone != null && environments.names.isEmpty()) { // Heat refuses it before all else
            EnvironmentReader.sections(environments.alone, EnvironmentReader.REQUEST);
        }
        Map<String, ParameterType> declared = ofFiles.declared(template, this::report);
        Environment environment = environments.merged(source, files, declared, budget);
        Set<Registry.Entry> used = new HashSet<>();
        TreeWalk walk = new TreeWalk(new Stack.Context(ofFiles.with(environment), budget, used), limits, deep, nested);
        return new TemplateAnswer(
                root(walk, template, environment),
                environment,
                walk.typesMet(),
                List.copyOf(faults),
                environment.parameterDefaults().keys().stream()
                        .filter(name -> !declared.containsKey(name))
                        .toList(),
                unused(environment.registry(), used));
    }

    /* Null if there is none, because of a fault. */
    private Node root(TreeWalk walk, Template template, Environment environment) {
        try {
            if (faults.isEmpty() || template.parameterFaults().isEmpty()) {
                return walk.top(
                        template,
                        schemas(template, environment),
                        supplied(environment, template.parameters()),
                        environment.registry(),
                        this::report);
            }
        } catch (EffortExceededException e) {
            exceeded = true;
            addLast(exceeded(e));
        } catch (FaultException e) {
            if (!deep) {
                throw e;
            }
            addLast(e.fault());
        }
        return null;
    }

    private static Fault exceeded(EffortExceededException e) {
        return Fault.raised(FaultCode.LIMIT, "RequestLimitExceeded", "validating the tree " + e.getMessage());
    }

    /* What ended the walk is told in any case. */
    private void addLast(Fault fault) {
        if (!deep) {
            throw new FaultException(fault);
        }
        if (isNew(fault)) {
            if (faults.size() >= MOST_FAULTS) {
                faults.remove(List.copyOf(faults).get(MOST_FAULTS - 1));
            }
            faults.add(fault);
        }
    }

    /** The work that was done. */
    public long effort() {
        return exceeded ? limits.effort() : budget.spent();
    }

    private Template top(View view) {
        try {
            return view.templates().of(source);
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
        budget.spend(FOR_FAULT + fault.path().size());
        if (isNew(fault) && faults.size() < MOST_FAULTS) {
            faults.add(fault);
        }
    }

    private boolean isNew(Fault fault) {
        return !OF_FILES.contains(fault.code()) || reported.add(new OfFile(fault.code(), fault.file(), fault.place()));
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
