package dev.strake.heat.source;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Finds names of files in templates and environments, and replaces them. As in Heat's client, the key alone identifies
 * a name, anywhere in the tree.
 */
public final class FileNames {

    private static final Set<String> NO_MAPPINGS = Set.of("hooks", "restricted_actions");

    private static final String BASE_URL = "base_url";

    private FileNames() {}

    /** Looks up a name, and returns the name that replaces it. */
    public interface Visitor {

        /** A file that is used as it is. */
        String file(String name);

        /** A file that is a template itself. */
        String template(String name);

        /** Returns the visitor for names that an environment resolves against a base URL. */
        default Visitor from(String baseUrl) {
            return this;
        }
    }

    public static Value inTemplate(Value value, Visitor visitor) {
        if (value instanceof MapValue map) {
            return map.withEach((key, item) -> {
                if (item instanceof Text text && key.equals("get_file")) {
                    return named(text, visitor::file);
                }
                if (item instanceof Text text && key.equals("type") && isTemplate(text.value())) {
                    return named(text, visitor::template);
                }
                return inTemplate(item, visitor);
            });
        }
        return value instanceof ListValue list ? list.withEach((i, item) -> inTemplate(item, visitor)) : value;
    }

    public static Value inEnvironment(Value value, Visitor visitor) {
        if (value instanceof MapValue map && map.get("resource_registry") instanceof MapValue registry) {
            return map.with("resource_registry", mappings(registry, visitor));
        }
        return value;
    }

    private static MapValue mappings(MapValue map, Visitor outer) {
        Visitor visitor = map.get(BASE_URL) instanceof Text base ? outer.from(base.value()) : outer;
        return map.withEach((key, item) -> {
            if (NO_MAPPINGS.contains(key) || key.equals(BASE_URL)) {
                return item;
            }
            if (item instanceof Text text && !text.value().contains("::")) {
                return named(text, visitor::template);
            }
            return item instanceof MapValue below ? mappings(below, visitor) : item;
        });
    }

    /** Returns the first place where a template names a file, in the notation of problems; null if none does. */
    public static String placeInTemplate(Value template, String name) {
        return place(template, name, "", key -> key.equals("get_file") || key.equals("type"));
    }

    /** Returns the first place where an environment names a file, in the notation of problems; null if none does. */
    public static String placeInEnvironment(Value environment, String name) {
        Value registry = environment instanceof MapValue map ? map.get("resource_registry") : null;
        return place(registry, name, ".resource_registry", key -> true);
    }

    private static String place(Value value, String name, String at, Predicate<String> names) {
        String found = null;
        if (value instanceof MapValue map) {
            for (int i = 0; i < map.size() && found == null; i++) {
                String here = at + "." + map.keyAt(i);
                found = map.valueAt(i) instanceof Text text && names.test(map.keyAt(i))
                        ? (text.value().equals(name) ? here : null)
                        : place(map.valueAt(i), name, here, names);
            }
        } else if (value instanceof ListValue list) {
            for (int i = 0; i < list.size() && found == null; i++) {
                found = place(list.items().get(i), name, at + "[" + i + "]", names);
            }
        }
        return found;
    }

    private static Value named(Text text, UnaryOperator<String> visitor) {
        String name = visitor.apply(text.value());
        return name.equals(text.value()) ? text : new Text(name);
    }

    private static boolean isTemplate(String name) {
        return name.endsWith(".yaml") || name.endsWith(".template");
    }
}
