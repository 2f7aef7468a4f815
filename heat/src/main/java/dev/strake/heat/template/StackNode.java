package dev.strake.heat.template;

import dev.strake.engine.tree.Value;
import dev.strake.heat.parameter.ParameterSchema;
import dev.strake.heat.source.Origin;
import java.util.List;
import java.util.Map;

/**
 * A stack of the tree, with the parameters that it has.
 *
 * @param type the type of the resource that nests it, as written; null at the top
 * @param groups the parameter groups as written; null if there are none
 * @param children by the name of the resource that nests them
 */
public record StackNode(
        String type, Value description, List<Parameter> parameters, Value groups, Map<String, StackNode> children) {

    /**
     * A parameter.
     *
     * @param defaultValue what counts where nothing is supplied; null if there is no default
     * @param defaultOrigin where the default is written
     * @param supplied null if nothing is
     */
    public record Parameter(ParameterSchema schema, Value defaultValue, Origin defaultOrigin, Supplied supplied) {}
}
