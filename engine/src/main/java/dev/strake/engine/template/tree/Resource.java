package dev.strake.engine.template.tree;

import dev.strake.engine.template.function.Expression;
import dev.strake.engine.template.source.Origin;
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
 * @param origins where each property is written, by its name; the resource itself under the empty name
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
        Map<String, Origin> origins,
        Set<String> secrets) {

    Origin origin() {
        return origins.get("");
    }

    Origin origin(String property) {
        return origins.getOrDefault(property, origin());
    }
}
