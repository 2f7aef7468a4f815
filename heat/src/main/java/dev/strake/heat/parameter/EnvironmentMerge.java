package dev.strake.heat.parameter;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.Python;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.Origin;
import dev.strake.heat.source.SourceFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Merges environments in order, with the merge strategies that they declare. */
public final class EnvironmentMerge {

    private static final Set<String> STRATEGIES = Set.of("overwrite", "merge", "deep_merge");

    /** The maximum size of a section: many environments may append to the same parameter. */
    private static final long MOST_BYTES = 16L << 20;

    private final Map<String, ParameterType> declared;
    private final Budget budget;
    private final Map<String, String> strategies = new HashMap<>();
    private final Map<String, Origin> parameterOrigins = new HashMap<>();
    private final Map<String, Origin> defaultOrigins = new HashMap<>();
    private final Map<String, Origin> registryOrigins = new HashMap<>();

    private EnvironmentMerge(Map<String, ParameterType> declared, Budget budget) {
        this.declared = declared;
        this.budget = budget;
    }

    /**
     * Merges the environments in files.
     *
     * @param names the names of the files, in order
     * @param given values of the request, which the files override
     * @param declared the parameters of all templates in the request, with their types
     * @param budget counts the content of the files, and the merged result
     * @throws FaultException if a file is missing or no environment, or if strategies contradict each other
     */
    public static Environment of(
            List<String> names,
            Map<String, SourceFile> files,
            MapValue given,
            Map<String, ParameterType> declared,
            Budget budget) {
        return new EnvironmentMerge(declared, budget).merge(names, files, given);
    }

    private Environment merge(List<String> names, Map<String, SourceFile> files, MapValue given) {
        MapValue parameters = MapValue.EMPTY;
        MapValue defaults = MapValue.EMPTY;
        MapValue registry = MapValue.EMPTY;
        ListValue sinks = ListValue.EMPTY;
        for (String name : names) {
            SourceFile file = files.get(name);
            if (file == null) {
                throw new FaultException(Fault.raised(
                        FaultCode.ENVIRONMENT_MISSING,
                        "KeyError",
                        "the environment '" + name + "' is not among the files"));
            }
            MapValue sections = EnvironmentReader.sections(file, "");
            budget.spendJson(sections);
            MapValue wanted = EnvironmentReader.map(sections, "parameter_merge_strategies", file);
            parameters = values(parameters, sections, "parameters", wanted, file, parameterOrigins);
            defaults = values(defaults, sections, "parameter_defaults", wanted, file, defaultOrigins);
            MapValue mappings = EnvironmentReader.map(sections, "resource_registry", file);
            if (!registry.isEmpty()) { // the first registry keeps its null entries, which remove other entries
                mappings = present(mappings);
            }
            mappings.keys().forEach(key -> registryOrigins.put(key, new Origin(name, ".resource_registry." + key)));
            budget.spend(registry.size());
            registry = registry.updatedWith(mappings);
            sinks = sections.get("event_sinks") instanceof ListValue list ? list : sinks;
        }
        return new Environment(
                given.updatedWith(parameters),
                defaults,
                Registry.of(registry, this::origin),
                sinks,
                parameterOrigins,
                defaultOrigins);
    }

    private Origin origin(String at) {
        String key = at.startsWith(".resources.") ? "resources" : at.substring(1);
        Origin section = registryOrigins.get(key);
        return section == null ? null : new Origin(section.file(), ".resource_registry" + at);
    }

    private static MapValue present(MapValue section) {
        return section.withEach((key, value) -> value instanceof Null ? null : value);
    }

    private MapValue values(
            MapValue before,
            MapValue sections,
            String name,
            MapValue wanted,
            SourceFile file,
            Map<String, Origin> origins) {
        MapValue section = EnvironmentReader.map(sections, name, file);
        if (section.isEmpty()) {
            return before;
        }
        boolean first = before.isEmpty();
        MapValue.Builder merged = MapValue.builder();
        before.forEach(merged::put);
        for (int i = 0; i < section.size(); i++) {
            String parameter = section.keyAt(i);
            Value value = section.valueAt(i);
            boolean counts = !(value instanceof Null) && declared.containsKey(parameter);
            String strategy = counts ? strategy(parameter, wanted, file) : "overwrite";
            if (!counts && !first) {
                continue;
            }
            merged.put(parameter, first ? value : merged(parameter, before.get(parameter), value, strategy, file));
            origins.put(parameter, new Origin(file.name(), "." + name + "." + parameter));
        }
        MapValue result = merged.build();
        budget.spendJson(result);
        if (result.weight() > MOST_BYTES) {
            throw new FaultException(Fault.raised(
                            FaultCode.LIMIT,
                            "RequestLimitExceeded",
                            "the merged " + name + " of the environments have more than " + MOST_BYTES + " bytes")
                    .in(file.name(), "." + name));
        }
        return result;
    }

    private String strategy(String parameter, MapValue wanted, SourceFile file) {
        String recorded = strategies.get(parameter);
        String otherwise = wanted.get("default") instanceof Text text ? text.value() : "overwrite";
        String own = wanted.get(parameter) instanceof Text text ? text.value() : null;
        String strategy = own != null ? own : recorded != null ? recorded : otherwise;
        if (!STRATEGIES.contains(strategy)) {
            strategy = otherwise;
        }
        if (recorded != null && !recorded.equals(strategy)) {
            throw new FaultException(Fault.raised(
                            FaultCode.MERGE_STRATEGY,
                            "ConflictingMergeStrategyForParam",
                            "Conflicting merge strategy '" + strategy + "' for parameter '" + parameter + "' in file '"
                                    + file.name() + "'.")
                    .in(file.name(), ".parameter_merge_strategies." + parameter));
        }
        strategies.put(parameter, strategy);
        return strategy;
    }

    /* The old value is null if no earlier file sets the parameter. */
    private Value merged(String parameter, Value old, Value value, String strategy, SourceFile file) {
        boolean deep = strategy.equals("deep_merge");
        if (!deep && !strategy.equals("merge")) {
            return value;
        }
        ParameterType type = declared.get(parameter);
        Value merged = switch (type) {
            case STRING, NUMBER -> texts(old == null && type == ParameterType.STRING ? new Text("") : old, value);
            case COMMA_DELIMITED_LIST -> lists(old, value);
            case JSON -> maps(old, value, deep);
            case BOOLEAN ->
                throw new FaultException(Fault.raised(
                                FaultCode.MERGE_STRATEGY,
                                "InvalidMergeStrategyForParam",
                                "Invalid merge strategy 'merge' for parameter '" + parameter + "'.")
                        .in(file.name(), ".parameter_merge_strategies"));
        };
        if (merged == null) {
            throw new FaultException(Fault.raised(
                            FaultCode.MERGE_STRATEGY,
                            "ValueError",
                            "Invalid parameter in environment " + parameter + ": "
                                    + (old == null ? "nothing" : "a " + Python.type(old)) + " and a "
                                    + Python.type(value) + " cannot be merged.")
                    .in(file.name(), null));
        }
        return merged;
    }

    private static Value texts(Value old, Value value) {
        return old instanceof Text a && value instanceof Text b ? concatenated(a, b) : null;
    }

    private static Value maps(Value old, Value written, boolean deep) {
        Value value = written;
        if (written instanceof Text text) {
            try {
                value = Python.json(text.value());
            } catch (IllegalArgumentException e) {
                return null; // the caller reports it
            }
        }
        if (old == null || !Python.isTrue(old)) {
            return value;
        }
        return old instanceof MapValue a && value instanceof MapValue b
                ? deep ? deeply(a, b) : a.updatedWith(present(b))
                : null;
    }

    private static Value concatenated(Text one, Text other) {
        return new Text(one.value() + other.value());
    }

    private static Value lists(Value old, Value value) {
        if (!(value instanceof Text || value instanceof ListValue)) {
            return null;
        }
        if (old == null || !Python.isTrue(old)) {
            return value;
        }
        if (old instanceof ListValue a && value instanceof ListValue b) {
            return appended(a, b);
        }
        return old instanceof Text a && value instanceof Text b ? new Text(a.value() + "," + b.value()) : null;
    }

    private static ListValue appended(ListValue one, ListValue other) {
        List<Value> all = new ArrayList<>(one.items());
        all.addAll(other.items());
        return ListValue.of(all);
    }

    private static MapValue deeply(MapValue old, MapValue value) {
        MapValue.Builder merged = MapValue.builder();
        old.forEach(merged::put);
        value.forEach((key, item) -> {
            Value before = old.get(key);
            if (item instanceof Null) {
                return;
            }
            if (before instanceof MapValue a && item instanceof MapValue b) {
                merged.put(key, deeply(a, b));
            } else if (before instanceof ListValue a && item instanceof ListValue b) {
                merged.put(key, appended(a, b));
            } else if (before instanceof Text a && item instanceof Text b) {
                merged.put(key, concatenated(a, b));
            } else {
                merged.put(key, item);
            }
        });
        return merged.build();
    }
}
