package dev.strake.engine.template.tree;

import java.util.Locale;
import java.util.ResourceBundle;

/** The table of Heat's own resource types. An entry of it is read when its type is asked for. */
final class ResourceTypes {

    private static final ResourceBundle TABLE = ResourceBundle.getBundle(ResourceTypes.class.getName(), Locale.ROOT);

    private ResourceTypes() {}

    /** The type of this name; null if Heat has none. */
    static ResourceType get(String name) {
        return TABLE.containsKey(name) ? ResourceType.of(name, TABLE.getString(name)) : null;
    }
}
