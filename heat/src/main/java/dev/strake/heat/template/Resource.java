package dev.strake.heat.template;

import dev.strake.heat.function.Expression;
import dev.strake.heat.source.Origin;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A resource as defined in a template.
 *
 * @param properties the properties in their order, read but not evaluated
 * @param secrets properties whose value came from a hidden parameter when a group evaluated it
 * @param origin the place of the resource; null if it is unknown
 * @param written the place of its properties, below the resource
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
     * The clauses of a resource other than type and properties.
     *
     * @param deletionPolicy null if there is none
     * @param lowerCasePolicies whether deletion policies may be in lower case
     * @param updatePolicy null if there is none
     * @param condition null if there is none
     * @param rest other expressions that may contain calls: metadata, external id
     */
    record Clauses(
            List<String> dependsOn,
            Expression deletionPolicy,
            boolean lowerCasePolicies,
            Expression updatePolicy,
            Expression condition,
            List<Expression> rest) {

        /** The clauses of a group member. */
        static final Clauses NONE = new Clauses(List.of(), null, true, null, null, List.of());
    }

    /** Returns the place of a property. Computed on demand: templates have many properties, and names may be long. */
    Origin origin(String property) {
        return origin == null || !properties.containsKey(property)
                ? origin
                : new Origin(origin.file(), origin.place() + "." + written + "." + property);
    }
}
