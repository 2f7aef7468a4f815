package dev.strake.heat.template;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.BudgetExceededException;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import dev.strake.heat.function.HotVersion;
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
import dev.strake.heat.source.UnreadableSourceException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Validates one request: first its environments, then its tree. The answer depends only on the request and the content
 * of its files.
 */
public final class TemplateValidator {

    /** The only code that can be ignored: a service is unavailable. No services are called here. */
    private static final String SERVICE_UNAVAILABLE = "99001";

    /** Faults of a file that are reported once, wherever the file is used. */
    private static final Set<FaultCode> OF_FILES = EnumSet.of(
            FaultCode.PARAMETER_SCHEMA,
            FaultCode.TEMPLATE_VERSION,
            FaultCode.TEMPLATE_VERSION_MISSING,
            FaultCode.TEMPLATE_PARSE,
            FaultCode.OUTPUT);

    /** Limits the answer, since a template that is used a thousand times repeats its faults a thousand times. */
    private static final int MOST_FAULTS = 1_000;

    /** The work of a reported fault, in units, whether it is kept or not. */
    private static final int FOR_FAULT = 20;

    private final TemplateRequest request;
    private final boolean deep;
    private final Budget budget;
    private final Template.Cache templates = new Template.Cache();
    private final Set<Fault> faults = new LinkedHashSet<>();
    private final Set<OfFile> reported = new HashSet<>();
    private boolean exceeded;

    /** A fault of a file, independent of where the file is used. */
    private record OfFile(FaultCode code, String file, String place) {}

    private TemplateValidator(TemplateRequest request) {
        this.request = request;
        this.deep = request.mode() == TemplateRequest.Mode.DEEP;
        this.budget = new RenderLimits(8L << 20, 256, 0, request.limits().effort(), Long.MAX_VALUE).budget();
    }

    public static TemplateAnswer validate(TemplateRequest request) {
        TemplateValidator validator = new TemplateValidator(request);
        Fault fault;
        try {
            validator.requireKnownCodes();
            return validator.validated();
        } catch (BudgetExceededException e) {
            fault = validator.exceeded(e);
        } catch (FaultException e) { // Heat stops here
            fault = e.fault();
        }
        return TemplateAnswer.failed(fault, validator.effort());
    }

    private void requireKnownCodes() {
        List<String> unknown = request.ignoreErrors().stream()
                .filter(code -> !code.equals(SERVICE_UNAVAILABLE))
                .toList();
        if (!unknown.isEmpty()) {
            throw new FaultException(
                    Fault.raised(FaultCode.REQUEST, "HTTPBadRequest", "Invalid codes in ignore_errors : " + unknown));
        }
    }

    private TemplateAnswer validated() {
        Template template = top();
        MapValue sections = sections(); // first, because Heat reports faults of these sections before all others
        Map<String, ParameterType> declared = declared(template);
        Environment environment = environment(sections, declared);
        Set<Registry.Entry> used = new HashSet<>();
        TreeWalk walk = new TreeWalk(
                new Stack.Context(request.files(), templates, defaults(environment), budget, used),
                request.limits(),
                deep,
                request.showNested());
        return new TemplateAnswer(
                root(walk, template, environment),
                environment,
                walk.typesMet(),
                List.copyOf(faults),
                environment.parameterDefaults().keys().stream()
                        .filter(name -> !declared.containsKey(name))
                        .toList(),
                unused(environment.registry(), used),
                effort());
    }

    /* Returns the sections of the environment in the request. */
    private MapValue sections() {
        SourceFile alone = request.environments().alone();
        return alone == null || !request.environments().names().isEmpty()
                ? MapValue.EMPTY
                : EnvironmentReader.sections(alone, EnvironmentReader.REQUEST);
    }

    private Environment environment(MapValue sections, Map<String, ParameterType> declared) {
        TemplateRequest.Environments environments = request.environments();
        if (!environments.names().isEmpty()) {
            return EnvironmentMerge.of(environments.names(), request.files(), environments.given(), declared, budget);
        }
        SourceFile file = environments.alone() == null ? request.template() : environments.alone();
        return EnvironmentReader.alone(sections, environments.given(), file);
    }

    private static Map<String, Supplied> defaults(Environment environment) {
        Map<String, Supplied> defaults = new HashMap<>();
        environment
                .parameterDefaults()
                .forEach((name, value) -> defaults.put(
                        name,
                        new Supplied(value, false, environment.defaultOrigins().get(name))));
        return defaults;
    }

    /* Returns the parameters of all templates in the request, with their types. */
    private Map<String, ParameterType> declared(Template top) {
        Map<String, ParameterType> types = new HashMap<>();
        for (String name : new TreeSet<>(request.files().keySet())) {
            SourceFile file = request.files().get(name);
            if (isTemplate(file)) {
                declare(file, types);
            }
        }
        declare(top, types);
        return types;
    }

    private void declare(SourceFile file, Map<String, ParameterType> types) {
        Template template;
        try {
            template = templates.of(file);
        } catch (FaultException e) {
            report(e.fault());
            return;
        }
        declare(template, types);
    }

    private void declare(Template template, Map<String, ParameterType> types) {
        template.parameterFaults().forEach(this::report);
        types.putAll(template.declaredTypes());
    }

    private static boolean isTemplate(SourceFile file) {
        if (!Registry.isTemplate(file.name()) && !file.text().contains(HotVersion.KEY)) {
            return false; // for example a script: not worth parsing
        }
        try {
            return file.tree() instanceof MapValue map && map.has(HotVersion.KEY);
        } catch (UnreadableSourceException e) {
            return false; // reported where the file is used
        }
    }

    /* Returns the tree; null if a fault prevents it. */
    private StackNode root(TreeWalk walk, Template template, Environment environment) {
        try {
            if (faults.isEmpty() || template.parameterFaults().isEmpty()) {
                return walk.top(
                        template,
                        schemas(template, environment),
                        supplied(environment, template.parameters()),
                        environment.registry(),
                        this::report);
            }
        } catch (BudgetExceededException e) {
            addLast(exceeded(e));
        } catch (FaultException e) {
            if (!deep) {
                throw e;
            }
            addLast(e.fault());
        }
        return null;
    }

    private Fault exceeded(BudgetExceededException e) {
        exceeded = true;
        return Fault.raised(FaultCode.LIMIT, "RequestLimitExceeded", "validating the tree " + e.getMessage());
    }

    /* Adds the fault that ended the walk, even if the list is full. */
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

    private long effort() {
        return exceeded ? request.limits().effort() : budget.spent();
    }

    private Template top() {
        SourceFile source = request.template();
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

    /* In the root template, a default from an environment counts as supplied, so it is not checked as a default. */
    private static Map<String, ParameterSchema> schemas(Template template, Environment environment) {
        Map<String, ParameterSchema> schemas = new LinkedHashMap<>();
        template.parameters().forEach((name, schema) -> {
            Value other = environment.parameterDefaults().get(name);
            schemas.put(name, other == null || other instanceof Null ? schema : schema.withDefault(other));
        });
        return schemas;
    }

    private static Map<String, Supplied> supplied(Environment environment, Map<String, ParameterSchema> schemas) {
        Map<String, Supplied> supplied = new LinkedHashMap<>();
        environment.parameters().forEach((name, value) -> {
            if (!(value instanceof Null) || !schemas.containsKey(name)) { // null counts as no value
                supplied.put(
                        name,
                        new Supplied(
                                value, false, environment.parameterOrigins().get(name)));
            }
        });
        return supplied;
    }
}
