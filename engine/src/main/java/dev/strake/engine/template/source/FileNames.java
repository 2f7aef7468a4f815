package dev.strake.engine.template.source;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The names of files in templates and environments. Heat's client finds them by their keys alone, wherever those stand,
 * and puts other names in their place.
 */
public final class FileNames {

    private static final Set<String> NO_MAPPINGS = Set.of("hooks", "restricted_actions");

    private FileNames() {}

    /** What to do with a name: look the file up, and say what it is to be called. */
    public interface Visitor {

        /** A file that is taken as it is. */
        String file(String name);

        /** A file that is a template in its turn. */
        String template(String name);
    }

    /** A template with other names of files. */
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

    /** An environment with other names of files. */
    public static Value inEnvironment(Value value, Visitor visitor) {
        if (value instanceof MapValue map && map.get("resource_registry") instanceof MapValue registry) {
            return map.with("resource_registry", mappings(registry, visitor));
        }
        return value;
    }

    private static MapValue mappings(MapValue map, Visitor visitor) {
        return map.withEach((key, item) -> {
            if (NO_MAPPINGS.contains(key) || key.equals("base_url")) {
                return item;
            }
            if (item instanceof Text text && !text.value().contains("::")) {
                return named(text, visitor::template);
            }
            return item instanceof MapValue below ? mappings(below, visitor) : item;
        });
    }

    private static Value named(Text text, UnaryOperator<String> visitor) {
        String name = visitor.apply(text.value());
        return name.equals(text.value()) ? text : new Text(name);
    }

    private static boolean isTemplate(String name) {
        return name.endsWith(".yaml") || name.endsWith(".template");
    }
}
