package dev.strake.heat.template;

import dev.strake.heat.function.Expression;
import dev.strake.heat.source.Origin;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A resource as a template defines it.
 *
 * @param properties in their order, read but not evaluated
 * @param secrets properties whose value came from a hidden parameter when a group evaluated it out
 * @param origin where it is written; null if that is not known
 * @param written where its properties are written, below it
 */
record Resource(
        String name,
        String type,
        Map<String, Expression> properties,
        Set<String> secrets,
        Clauses clauses,
        Origin origin,
        String written) {

    /**
     * What is said of a resource beside its type and its properties.
     *
     * @param deletionPolicy null if there is none
     * @param lowerCasePolicies whether deletion policies may be written in lower case
     * @param updatePolicy null if there is none
     * @param condition null if there is none
     * @param rest what else may hold calls: metadata, external id
     */
    record Clauses(
            List<String> dependsOn,
            Expression deletionPolicy,
            boolean lowerCasePolicies,
            Expression updatePolicy,
            Expression condition,
            List<Expression> rest) {

        /** Of a member that a group makes. */
        static final Clauses NONE = new Clauses(List.of(), null, true, null, null, List.of());
    }

    /** Where a property is written. Made on request: a template has many properties, and names may be long. */
    Origin origin(String property) {
        return origin == null || !properties.containsKey(property)
                ? origin
                : new Origin(origin.file(), origin.place() + "." + written + "." + property);
    }
}
