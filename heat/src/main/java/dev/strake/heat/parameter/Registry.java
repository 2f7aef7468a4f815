package dev.strake.heat.parameter;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.TextHash;
import dev.strake.engine.tree.Value;
import dev.strake.heat.python.PythonText;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.source.Origin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Maps resource types to implementations, as users configured it: by type, by prefix with a star, and by resource name.
 */
public final class Registry {

    private static final Set<String> HOOKS =
            Set.of("pre-create", "post-create", "pre-update", "post-update", "pre-delete", "post-delete");
    private static final Set<String> ACTIONS = Set.of("update", "replace");
    private static final String RESOURCES = "resources";
    private static final Set<String> NO_TYPES = Set.of("hooks", "restricted_actions", "base_url");

    private final Map<String, Entry> types;
    private final List<Entry> wildcards;
    private final ByName byName;
    private final MapValue resources;

    private Registry(Map<String, Entry> types, List<Entry> wildcards, ByName byName, MapValue resources) {
        this.types = types;
        this.wildcards = wildcards;
        this.byName = byName;
        this.resources = resources;
    }

    /**
     * Mappings for single resources.
     *
     * @param types mappings for the resource itself
     * @param inside mappings for resources in the template of the resource; names of resources with such a template may
     *     contain wildcards
     */
    private record ByName(Map<String, Entry> types, Map<String, ByName> inside) {

        static ByName of(MapValue written, String at, Function<String, Origin> origin) {
            Map<String, Entry> types = new LinkedHashMap<>();
            Map<String, ByName> inside = new LinkedHashMap<>();
            written.forEach((key, value) -> {
                String place = at + "." + key;
                if (value instanceof MapValue below) {
                    inside.put(key, of(below, place, origin));
                } else if (value instanceof Text target && !NO_TYPES.contains(key)) {
                    types.put(key, new Entry(key, target.value(), true, origin.apply(place)));
                }
            });
            return new ByName(types, inside);
        }

        void add(List<Entry> entries) {
            entries.addAll(types.values());
            inside.values().forEach(each -> each.add(entries));
        }
    }

    /**
     * A mapping.
     *
     * @param key a type, or a prefix with a star
     * @param target a file, a type, or a prefix with a star
     * @param byName whether the mapping is for a single resource
     * @param origin the place of the mapping; null if it is unknown
     */
    public record Entry(String key, String target, boolean byName, Origin origin) {

        @Override
        public int hashCode() {
            return TextHash.of(TextHash.of(key), TextHash.of(target));
        }

        public boolean isFile() {
            return isTemplate(key) || isTemplate(target);
        }

        /** Returns the file that the mapping leads to. */
        public String file() {
            return isTemplate(key) ? key : target;
        }

        boolean isWildcard() {
            return !isFile() && key.endsWith("*");
        }

        /** Returns the type that this mapping yields for a type. */
        public String apply(String type) {
            return isWildcard() && target.endsWith("*")
                    ? target.substring(0, target.length() - 1) + type.substring(key.length() - 1)
                    : target;
        }
    }

    /** Whether a name is that of a template, which as a resource type implements itself. */
    public static boolean isTemplate(String name) {
        return name.endsWith(".yaml") || name.endsWith(".template");
    }

    /**
     * Reads a registry.
     *
     * @param origin returns the origin of a place below the section
     */
    static Registry of(MapValue written, Function<String, Origin> origin) {
        Map<String, Entry> types = new LinkedHashMap<>();
        MapValue resources = MapValue.EMPTY;
        for (int i = 0; i < written.size(); i++) {
            String key = written.keyAt(i);
            Value value = written.valueAt(i);
            if (key.equals(RESOURCES)) {
                resources = value instanceof MapValue map ? map : MapValue.EMPTY;
                checkBelow(resources, "." + RESOURCES, origin);
                resources = withoutTaken(resources);
            } else if (value instanceof Null) {
                if (key.endsWith("*")) {
                    String prefix = key.substring(0, key.length() - 1);
                    types.keySet().removeIf(type -> type.startsWith(prefix));
                } else {
                    types.remove(key);
                }
            } else if (value instanceof Text target && !key.equals("base_url")) {
                types.put(key, new Entry(key, target.value(), false, origin.apply("." + key)));
            }
        }
        List<Entry> wildcards =
                types.values().stream().filter(Entry::isWildcard).toList();
        return new Registry(types, wildcards, ByName.of(resources, "." + RESOURCES, origin), resources);
    }

    /* Removes null entries, and the earlier entries that they delete. */
    private static MapValue withoutTaken(MapValue map) {
        Map<String, Value> kept = new LinkedHashMap<>();
        for (int i = 0; i < map.size(); i++) {
            String key = map.keyAt(i);
            Value value = map.valueAt(i);
            if (value instanceof MapValue below) {
                kept.put(key, withoutTaken(below));
            } else if (!(value instanceof Null)) {
                kept.put(key, value);
            } else if (key.endsWith("*")) {
                String prefix = key.substring(0, key.length() - 1);
                kept.entrySet().removeIf(each -> each.getKey().startsWith(prefix) && each.getValue() instanceof Text);
            } else {
                kept.remove(key);
            }
        }
        return MapValue.of(kept);
    }

    private static void checkBelow(MapValue map, String at, Function<String, Origin> origin) {
        for (int i = 0; i < map.size(); i++) {
            String key = map.keyAt(i);
            Value value = map.valueAt(i);
            if (key.equals("hooks")) {
                checkWords(
                        value,
                        HOOKS,
                        "Invalid hook type \"%s\" for resource breakpoint, acceptable hook types are: ",
                        at + ".hooks",
                        origin);
            } else if (key.equals("restricted_actions")) {
                checkWords(
                        value,
                        ACTIONS,
                        "Invalid restricted_action type \"%s\" for resource, acceptable restricted_action types are: ",
                        at + "." + key,
                        origin);
            } else if (value instanceof MapValue below) {
                checkBelow(below, at + "." + key, origin);
            }
        }
    }

    private static void checkWords(
            Value value, Set<String> known, String complaint, String at, Function<String, Origin> origin) {
        for (Value word : value instanceof ListValue list ? list.items() : List.of(value)) {
            if (!(word instanceof Text text) || !known.contains(text.value())) {
                Origin place = origin.apply(at);
                String message = String.format(complaint, PythonText.str(word))
                        + known.stream()
                                .sorted()
                                .map(each -> "'" + each + "'")
                                .toList()
                                .toString()
                                .replace('[', '(')
                                .replace(']', ')');
                Fault fault = Fault.raised(
                        FaultCode.REGISTRY_HOOK,
                        complaint.startsWith("Invalid hook") ? "InvalidBreakPointHook" : "InvalidRestrictedAction",
                        message);
                throw new FaultException(fault.in(place));
            }
        }
    }

    /** Returns the mappings that apply to a resource, best match first. Heat's own mappings are not included. */
    public List<Entry> candidates(String type, String resource) {
        List<Entry> found = new ArrayList<>();
        ByName own = resource == null ? null : byName.inside.get(resource);
        if (own != null && own.types.containsKey(type)) {
            found.add(own.types.get(type));
        }
        found.addAll(candidates(type));
        return found;
    }

    /** Returns the mappings that apply to any resource of a type, best match first. */
    public List<Entry> candidates(String type) {
        Entry exact = types.get(type);
        List<Entry> shared = new ArrayList<>();
        if (exact != null && !exact.isWildcard()) {
            shared.add(exact);
        } else if (exact == null && isTemplate(type)) {
            shared.add(new Entry(type, type, false, null));
        }
        for (Entry entry : wildcards) {
            boolean itself = type.equals(entry.target); // a pattern may map types to one of these types
            if (!itself && type.regionMatches(0, entry.key, 0, entry.key.length() - 1)) {
                shared.add(entry);
            }
        }
        shared.sort(Comparator.comparing(Entry::key));
        return shared;
    }

    /**
     * Returns the registry for the template of a resource.
     *
     * @param taken the mapping that led to the template, which is left out; null if there was none
     * @param budget counts the mappings that are inspected
     */
    public Registry below(String resource, Entry taken, Budget budget) {
        budget.spend(types.size());
        Map<String, Entry> fewer = types;
        if (taken != null && !taken.byName && types.containsKey(taken.key)) {
            fewer = new LinkedHashMap<>(types);
            fewer.remove(taken.key);
        }
        Map<String, ByName> inside = new LinkedHashMap<>();
        byName.inside.forEach((pattern, each) -> {
            // in the worst case, each character of the pattern is compared with each of the name
            budget.spend(1 + each.inside.size());
            budget.spendText((long) pattern.length() * resource.length());
            if (matches(pattern, resource)) {
                inside.putAll(each.inside);
            }
        });
        ByName own = byName.inside.get(resource);
        if (own != null) {
            inside.putAll(own.inside);
        }
        if (taken != null && taken.byName) {
            inside.remove(taken.key);
        }
        return new Registry(fewer, wildcards, new ByName(Map.of(), inside), MapValue.EMPTY);
    }

    /* Matches wildcards as in a shell: *, ? and sets of characters. */
    private static boolean matches(String pattern, String name) {
        int star = -1;
        int mark = 0;
        int i = 0;
        int j = 0;
        while (j < name.length()) {
            int next = i < pattern.length() && pattern.charAt(i) != '*' ? afterMatch(pattern, i, name.charAt(j)) : -1;
            if (i < pattern.length() && pattern.charAt(i) == '*') {
                star = i++;
                mark = j;
            } else if (next >= 0) {
                i = next;
                j++;
            } else if (star >= 0) {
                i = star + 1;
                j = ++mark;
            } else {
                return false;
            }
        }
        while (i < pattern.length() && pattern.charAt(i) == '*') {
            i++;
        }
        return i == pattern.length();
    }

    /* Returns the end of the pattern element at i; -1 if it does not match the character. */
    private static int afterMatch(String pattern, int i, char c) {
        char first = pattern.charAt(i);
        if (first == '[') {
            int from = i + (pattern.startsWith("!", i + 1) ? 2 : 1);
            int end = pattern.indexOf(']', from + 1); // a leading bracket belongs to the set
            if (end > 0) {
                return isInSet(pattern.substring(from, end), c) == (from == i + 1) ? end + 1 : -1;
            }
        }
        return first == '?' || first == c ? i + 1 : -1;
    }

    private static boolean isInSet(String set, char c) {
        for (int i = 0; i < set.length(); i++) {
            boolean range = i + 2 < set.length() && set.charAt(i + 1) == '-';
            if (range ? c >= set.charAt(i) && c <= set.charAt(i + 2) : c == set.charAt(i)) {
                return true;
            }
            i += range ? 2 : 0;
        }
        return false;
    }

    /** Returns the number of mappings with a star. All of them are compared with each type. */
    public int wildcards() {
        return wildcards.size();
    }

    /** Returns all mappings; those for single resources come last. */
    public List<Entry> entries() {
        List<Entry> all = new ArrayList<>(types.values());
        byName.add(all);
        return all;
    }

    /** Returns the form in Heat's answer. */
    public MapValue toValue(Map<String, String> typesMet) {
        MapValue.Builder map = MapValue.builder();
        types.values().forEach(entry -> map.put(entry.key, entry.target));
        typesMet.forEach((type, target) -> map.put(type, target));
        return map.put(RESOURCES, resources).build();
    }
}
