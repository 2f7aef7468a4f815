package dev.strake.heat.function;

import static dev.strake.heat.function.HotVersion.NEWTON;
import static dev.strake.heat.function.HotVersion.OCATA;
import static dev.strake.heat.function.HotVersion.PIKE;
import static dev.strake.heat.function.HotVersion.V2014_10_16;
import static dev.strake.heat.function.HotVersion.V2015_04_30;
import static dev.strake.heat.function.HotVersion.V2015_10_15;
import static dev.strake.heat.function.HotVersion.V2016_04_08;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The functions of each version of HOT, and those that conditions may call. */
final class Functions {

    private static final Map<HotVersion, Map<String, Function>> BY_VERSION = new EnumMap<>(HotVersion.class);

    /** A placeholder that reserves the name; calls are read as choices. */
    private static final Function IF = (name, arguments, scope) -> {
        throw new IllegalStateException("an if is not a call");
    };

    private static final List<String> OF_CLOUD_FORMATION = List.of(
            "Ref",
            "Fn::GetAZs",
            "Fn::Join",
            "Fn::Split",
            "Fn::Replace",
            "Fn::Base64",
            "Fn::MemberListToMap",
            "Fn::ResourceFacade");

    static {
        for (HotVersion version : HotVersion.values()) {
            BY_VERSION.put(version, of(version));
        }
    }

    private Functions() {}

    /** Returns a function by name; null if the version does not have it. */
    static Function of(String name, HotVersion version) {
        return BY_VERSION.get(version).get(name);
    }

    /** Returns a function that conditions may call, by name; null if there is none. */
    static Function ofConditions(String name, HotVersion version) {
        if (version.isBefore(NEWTON)) {
            return null;
        }
        return switch (name) {
            case "get_param" -> ReferenceFunctions.GET_PARAM;
            case "equals" -> LogicFunctions.EQUALS;
            case "not" -> LogicFunctions.NOT;
            case "and" -> LogicFunctions.AND;
            case "or" -> LogicFunctions.OR;
            case "contains" -> version.isFrom(PIKE) ? ListFunctions.CONTAINS : null;
            case "yaql" -> version.isFrom(PIKE) ? YaqlFunction.YAQL : null;
            default -> null;
        };
    }

    private static Map<String, Function> of(HotVersion version) {
        Map<String, Function> all = new HashMap<>();
        all.put("get_param", ReferenceFunctions.GET_PARAM);
        all.put("get_resource", ReferenceFunctions.GET_RESOURCE);
        all.put(
                "get_attr",
                version.isFrom(V2015_10_15) ? ReferenceFunctions.GET_ATTR_OR_ALL : ReferenceFunctions.GET_ATTR);
        all.put("get_file", ReferenceFunctions.GET_FILE);
        all.put("resource_facade", ReferenceFunctions.RESOURCE_FACADE);
        boolean json = version.isFrom(V2015_10_15);
        all.put("str_replace", new ReplaceFunction(ReplaceFunction.Strictness.LAX, json));
        all.put("list_join", new JoinFunction(json));
        if (version.isBefore(V2014_10_16)) {
            for (String name : OF_CLOUD_FORMATION) {
                all.put(name, ReferenceFunctions.OF_CLOUD_FORMATION);
            }
            all.put("Ref", ReferenceFunctions.REF);
        } else {
            for (String name : OF_CLOUD_FORMATION) {
                all.put(name, ReferenceFunctions.REMOVED);
            }
        }
        all.put("Fn::Select", json ? ReferenceFunctions.REMOVED : ListFunctions.SELECT);
        if (version.isFrom(V2015_04_30)) {
            all.put("repeat", new RepeatFunction(version.isFrom(NEWTON), version.isFrom(PIKE)));
            all.put("digest", TextFunctions.DIGEST);
        }
        if (version.isFrom(V2015_10_15)) {
            all.put("str_split", TextFunctions.STR_SPLIT);
        }
        if (version.isFrom(V2016_04_08)) {
            all.put("map_merge", MapFunctions.MAP_MERGE);
        }
        if (version.isFrom(NEWTON)) {
            all.put("yaql", YaqlFunction.YAQL);
            all.put("map_replace", MapFunctions.MAP_REPLACE);
            all.put("if", IF);
        }
        if (version.isFrom(OCATA)) {
            all.put("filter", ListFunctions.FILTER);
            all.put("str_replace_strict", new ReplaceFunction(ReplaceFunction.Strictness.STRICT, true));
        }
        if (version.isFrom(PIKE)) {
            all.put("make_url", TextFunctions.MAKE_URL);
            all.put("list_concat", ListFunctions.LIST_CONCAT);
            all.put("list_concat_unique", ListFunctions.LIST_CONCAT_UNIQUE);
            all.put("contains", ListFunctions.CONTAINS);
            all.put("str_replace_vstrict", new ReplaceFunction(ReplaceFunction.Strictness.VERY_STRICT, true));
        }
        return all;
    }
}
