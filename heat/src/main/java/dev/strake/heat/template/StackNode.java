package dev.strake.heat.template;

import dev.strake.engine.tree.Value;
import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.source.Origin;
import java.util.List;
import java.util.Map;

/**
 * A stack of the tree, with its parameters.
 *
 * @param type the type of the resource that nests the stack, as written; null for the root stack
 * @param groups the parameter groups as written; null if there are none
 * @param children the nested stacks by the name of their resource
 */
public record StackNode(
        String type, Value description, List<Parameter> parameters, Value groups, Map<String, StackNode> children) {

    /**
     * A parameter.
     *
     * @param defaultValue the value if nothing is supplied; null if there is no default
     * @param defaultOrigin the place of the default
     * @param supplied the supplied value; null if there is none
     */
    public record Parameter(ParameterSchema schema, Value defaultValue, Origin defaultOrigin, Supplied supplied) {}
}
