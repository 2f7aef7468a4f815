package dev.strake.heat.template;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;

/** The table of Heat's own resource types. An entry of it is read when its type is asked for first. */
final class ResourceTypes {

    private static final ResourceBundle TABLE = ResourceBundle.getBundle(ResourceTypes.class.getName(), Locale.ROOT);

    /** Those that were asked for, never changed but replaced: who reads an entry a second time comes to the same. */
    private static volatile Map<String, ResourceType> known = Map.of();

    private ResourceTypes() {}

    /** The type of this name; null if Heat has none. */
    static ResourceType get(String name) {
        ResourceType type = known.get(name);
        if (type == null && TABLE.containsKey(name)) {
            type = ResourceType.of(name, TABLE.getString(name));
            Map<String, ResourceType> more = new HashMap<>(known);
            more.put(name, type);
            known = more;
        }
        return type;
    }
}
