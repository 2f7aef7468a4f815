package dev.strake.heat;

import dev.strake.engine.problem.Location;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.Origin;
import dev.strake.heat.template.StackNode;
import dev.strake.heat.template.TemplateAnswer;
import dev.strake.heat.template.TemplateRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Findings beyond Heat's answer: parameters that need input, origins of values, and unused entries. */
public record Findings(TemplateRequest request, TemplateAnswer answer) {

    private static final Pattern UNSET = Pattern.compile("The Parameter \\((.*)\\) was not provided\\.");

    /**
     * A parameter without default and value.
     *
     * @param parameter its first occurrence
     * @param paths all occurrences: names of resources, then of the parameter, separated by dots
     * @param atTop whether the root template is among them
     */
    public record Needed(StackNode.Parameter parameter, List<String> paths, boolean atTop) {

        /**
         * Whether only the root template needs the parameter. Then the section {@code parameters} of an environment can
         * supply it; {@code parameter_defaults} also reaches nested templates.
         */
        public boolean isForTopAlone() {
            return atTop && paths.size() == 1;
        }
    }

    /** Returns the parameters that need input, each name once. */
    public List<Needed> needed() {
        return answer.root() == null ? List.of() : needed(answer.root());
    }

    static List<Needed> needed(StackNode root) {
        Map<String, Needed> needed = new LinkedHashMap<>();
        needed(root, "", needed);
        return List.copyOf(needed.values());
    }

    private static void needed(StackNode node, String above, Map<String, Needed> needed) {
        for (StackNode.Parameter each : node.parameters()) {
            if (each.defaultValue() == null && each.supplied() == null) {
                String name = each.schema().name();
                needed.computeIfAbsent(name, first -> new Needed(each, new ArrayList<>(), above.isEmpty()))
                        .paths
                        .add(above + name);
            }
        }
        node.children().forEach((name, child) -> needed(child, above + name + ".", needed));
    }

    /** Returns the places that cannot be checked before a parameter has a value, by the name of the parameter. */
    public Map<String, List<String>> blocked() {
        Map<String, List<String>> blocked = new LinkedHashMap<>();
        for (Fault fault : answer.faults()) {
            Matcher unset = UNSET.matcher(fault.message());
            if (fault.code() == FaultCode.MISSING_PARAMETER && unset.find()) {
                String place = fault.place() == null ? fault.pathText() : fault.file() + " " + fault.place();
                blocked.computeIfAbsent(unset.group(1), none -> new ArrayList<>())
                        .add(place);
            }
        }
        return blocked;
    }

    /** Returns the place of a default; null if there is none. */
    public Location ofDefault(StackNode.Parameter parameter) {
        return parameter.defaultValue() == null ? null : locate(parameter.defaultOrigin());
    }

    /** Returns the place of a value; null if there is none, or if it was given with the request. */
    public Location ofValue(StackNode.Parameter parameter) {
        return parameter.supplied() == null ? null : locate(parameter.supplied().origin());
    }

    private Location locate(Origin origin) {
        return origin == null ? null : request.locate(origin.file(), origin.place());
    }

    public MapValue toValue(AnswerJson json) {
        List<Value> origins = new ArrayList<>();
        if (answer.root() != null) {
            origins(answer.root(), "", origins);
        }
        MapValue.Builder blocked = MapValue.builder();
        blocked().forEach((name, places) -> blocked.put(name, texts(places)));
        return MapValue.builder()
                .put("NeedsInput", toValue(needed(), json))
                .put("SuppliedEmpty", json.suppliedEmpty())
                .put("Blocked", blocked.build())
                .put("UnusedDefaults", texts(answer.unusedDefaults()))
                .put("UnusedMappings", unusedMappings())
                .put("Origins", ListValue.of(origins))
                .build();
    }

    /** Converts the parameters that need input to one value. */
    public static ListValue toValue(List<Needed> needed) {
        return toValue(needed, new AnswerJson(null, false));
    }

    private static ListValue toValue(List<Needed> needed, AnswerJson json) {
        List<Value> values = new ArrayList<>();
        for (Needed each : needed) {
            MapValue.Builder map =
                    MapValue.builder().put("Name", each.parameter.schema().name());
            json.parameter(each.parameter).forEach(map::put);
            values.add(map.put("Paths", texts(each.paths)).build());
        }
        return ListValue.of(values);
    }

    private ListValue unusedMappings() {
        return ListValue.of(answer.unusedMappings().stream()
                .map(entry -> {
                    Location location = locate(entry.origin());
                    return new Text(entry.key() + (location == null ? "" : " (" + location + ")"));
                })
                .toList());
    }

    private void origins(StackNode node, String above, List<Value> into) {
        for (StackNode.Parameter each : node.parameters()) {
            MapValue.Builder map =
                    MapValue.builder().put("Path", above + each.schema().name());
            Location ofDefault = ofDefault(each);
            Location ofValue = ofValue(each);
            if (ofDefault != null) {
                map.put("Default", ofDefault.toString());
            }
            if (ofValue != null) {
                map.put("Value", ofValue.toString());
            }
            if (ofDefault != null || ofValue != null) {
                into.add(map.build());
            }
        }
        node.children().forEach((name, child) -> origins(child, above + name + ".", into));
    }

    private static ListValue texts(List<String> texts) {
        return ListValue.of(texts.stream().map(Text::new).toList());
    }
}
