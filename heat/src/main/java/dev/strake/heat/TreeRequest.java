package dev.strake.heat;

import dev.strake.engine.tree.MapValue;
import dev.strake.heat.template.TemplateRequest;
import dev.strake.heat.template.TreeLimits;
import java.util.List;

/**
 * A request to validate a tree whose files are looked up by name.
 *
 * @param template the name of the root template
 * @param environments the names of environments, in order
 * @param parameters values for the root template; environments override them
 */
public record TreeRequest(
        String template, List<String> environments, MapValue parameters, TemplateRequest.Mode mode, TreeLimits limits) {

    public TreeRequest {
        environments = List.copyOf(environments);
    }
}
