package dev.strake.heat.template;

import dev.strake.heat.parameter.Environment;
import dev.strake.heat.parameter.Registry;
import dev.strake.heat.source.Fault;
import java.util.List;
import java.util.Map;

/**
 * The answer to a request.
 *
 * @param root the tree with its parameters; null if a fault prevents it
 * @param environment the merged environment; null if it cannot be read
 * @param typesMet mapped types of the root template, which Heat adds to the registry
 * @param faults all faults, in the order in which Heat would find them
 * @param unusedDefaults names under {@code parameter_defaults} that no template declares
 * @param unusedMappings mappings that no resource of the tree uses
 * @param effort the work, in units of {@link dev.strake.engine.limit.Budget}
 */
public record TemplateAnswer(
        StackNode root,
        Environment environment,
        Map<String, String> typesMet,
        List<Fault> faults,
        List<String> unusedDefaults,
        List<Registry.Entry> unusedMappings,
        long effort) {

    /** Creates the answer to a request that fails before there is a tree. */
    public static TemplateAnswer failed(Fault fault, long effort) {
        return new TemplateAnswer(null, null, Map.of(), List.of(fault), List.of(), List.of(), effort);
    }
}
