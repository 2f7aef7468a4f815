package dev.strake.heat.parameter;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Origin;
import java.util.Map;

/**
 * An environment, or the result of merging several.
 *
 * @param parameters values for the root template
 * @param parameterDefaults defaults for parameters with these names in all templates of the tree
 * @param eventSinks the section as written
 * @param parameterOrigins the last origin of each value, except values of the request
 * @param defaultOrigins the last origin of each default
 */
public record Environment(
        MapValue parameters,
        MapValue parameterDefaults,
        Registry registry,
        ListValue eventSinks,
        Map<String, Origin> parameterOrigins,
        Map<String, Origin> defaultOrigins) {

    /** Returns the form in Heat's answer. */
    public MapValue toValue(MapValue registered) {
        return MapValue.builder()
                .put("event_sinks", eventSinks)
                .put("parameter_defaults", parameterDefaults)
                .put("parameters", parameters)
                .put("resource_registry", (Value) registered)
                .build();
    }
}
