package dev.strake.heat.parameter;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Origin;
import java.util.Map;

/**
 * An environment, or several that have become one.
 *
 * @param parameters values for the template at the top
 * @param parameterDefaults defaults for parameters of these names in any template of the tree
 * @param eventSinks as written
 * @param parameterOrigins where each value was written last; nothing for values of the request
 * @param defaultOrigins where each default was written last
 */
public record Environment(
        MapValue parameters,
        MapValue parameterDefaults,
        Registry registry,
        ListValue eventSinks,
        Map<String, Origin> parameterOrigins,
        Map<String, Origin> defaultOrigins) {

    /** As Heat's answer shows it. */
    public MapValue toValue(MapValue registered) {
        return MapValue.builder()
                .put("event_sinks", eventSinks)
                .put("parameter_defaults", parameterDefaults)
                .put("parameters", parameters)
                .put("resource_registry", (Value) registered)
                .build();
    }
}
