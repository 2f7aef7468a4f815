package dev.strake.heat.template;

import dev.strake.heat.parameter.Registry;

/** What a resource is made by. */
sealed interface Implementation {

    /** One of Heat's own types. */
    record BuiltIn(ResourceType type) implements Implementation {}

    /**
     * A template.
     *
     * @param entry the mapping that leads there
     */
    record Nested(String file, Registry.Entry entry) implements Implementation {}

    /** Nothing: the type cannot be found, however it is mapped. */
    record Unknown(boolean endless) implements Implementation {}
}
