package dev.strake.engine.template.tree;

import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentHashMap;

/** The table of Heat's own resource types. An entry of it is read when its type is asked for first. */
final class ResourceTypes {

    private static final ResourceBundle TABLE = ResourceBundle.getBundle(ResourceTypes.class.getName(), Locale.ROOT);

    /** Those that were asked for: at most as many as the table has. */
    private static final Map<String, ResourceType> KNOWN = new ConcurrentHashMap<>();

    private ResourceTypes() {}

    /** The type of this name; null if Heat has none. */
    static ResourceType get(String name) {
        ResourceType known = KNOWN.get(name);
        if (known == null && TABLE.containsKey(name)) {
            known = ResourceType.of(name, TABLE.getString(name));
            KNOWN.put(name, known);
        }
        return known;
    }
}
