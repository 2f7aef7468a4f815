package dev.strake.heat.template;

import dev.strake.heat.function.Expression;
import dev.strake.heat.source.Origin;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A resource as a template defines it.
 *
 * @param properties in their order, read but not worked out
 * @param deletionPolicy null if there is none
 * @param updatePolicy null if there is none
 * @param condition null if there is none
 * @param rest what else may hold calls: metadata, external id
 * @param lowerCasePolicies whether deletion policies may be written in lower case
 * @param origin where it is written; null if that is not known
 * @param written where its properties are written, below it
 * @param secrets properties whose value came from a hidden parameter when a group worked it out
 */
record Resource(
        String name,
        String type,
        Map<String, Expression> properties,
        List<String> dependsOn,
        Expression deletionPolicy,
        Expression updatePolicy,
        Expression condition,
        List<Expression> rest,
        boolean lowerCasePolicies,
        Origin origin,
        String written,
        Set<String> secrets) {

    /** Where a property is written. Made when somebody asks: a template has many properties, and names may be long. */
    Origin origin(String property) {
        return origin == null || !properties.containsKey(property)
                ? origin
                : new Origin(origin.file(), origin.place() + "." + written + "." + property);
    }
}
