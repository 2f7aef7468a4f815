package dev.strake.heat.template;

import dev.strake.engine.tree.MapValue;
import dev.strake.heat.python.Python;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One of Heat's own resource types.
 *
 * @param properties the type of each property, {@code String}, {@code Integer}, …
 * @param required the required properties
 * @param anyAttribute whether the attributes are not known in advance
 * @param canSnapshot whether the deletion policy may be a snapshot
 * @param updatePolicy the keys of the update policy, each with {@code fields}; null if there is none
 */
record ResourceType(
        String name,
        Map<String, String> properties,
        Set<String> required,
        Set<String> attributes,
        boolean anyAttribute,
        boolean canSnapshot,
        MapValue updatePolicy) {

    static final String NONE = "OS::Heat::None";

    private static final ResourceBundle TABLE =
            ResourceBundle.getBundle(ResourceType.class.getPackageName() + ".ResourceTypes", Locale.ROOT);

    /** Entries of the table that have been parsed. */
    private static final Map<String, ResourceType> READ = new ConcurrentHashMap<>();

    /** Returns the type with this name; null if Heat does not have it. */
    static ResourceType of(String name) {
        return TABLE.containsKey(name) ? READ.computeIfAbsent(name, each -> of(each, TABLE.getString(each))) : null;
    }

    private static ResourceType of(String name, String entry) {
        String[] columns = entry.split("\t", -1);
        Map<String, String> properties = new LinkedHashMap<>();
        Set<String> required = new LinkedHashSet<>();
        for (String property : words(columns[2])) {
            int colon = property.lastIndexOf(':');
            String key = property.substring(0, colon);
            properties.put(key, property.substring(colon + 1).replace("!", ""));
            if (property.endsWith("!")) {
                required.add(key);
            }
        }
        return new ResourceType(
                name,
                properties,
                required,
                Set.copyOf(words(columns[1])),
                columns[0].contains("any_attribute"),
                columns[0].contains("snapshot_delete"),
                columns[3].equals("-") ? null : (MapValue) Python.json(columns[3]));
    }

    private static List<String> words(String column) {
        return column.equals("-") ? List.of() : List.of(column.split(" ", -1));
    }

    /** Whether the type accepts any property. */
    boolean takesAnything() {
        return name.equals(NONE);
    }
}
