package dev.strake.heat.template;

import dev.strake.heat.parameter.Environment;
import dev.strake.heat.parameter.Registry;
import dev.strake.heat.source.Fault;
import java.util.List;
import java.util.Map;

/**
 * What came of a request.
 *
 * @param root the tree with its parameters; null if there is none, because of a fault
 * @param environment the environments as one; null if they cannot be read
 * @param typesMet types of the template at the top with what they are mapped to, as Heat adds them
 * @param faults all that is wrong, in the order in which Heat would come across it
 * @param unusedDefaults names under {@code parameter_defaults} that no template declares
 * @param unusedMappings mappings that no resource of the tree takes
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

    /** The answer to a request that ends before there is a tree. */
    public static TemplateAnswer failed(Fault fault, long effort) {
        return new TemplateAnswer(null, null, Map.of(), List.of(fault), List.of(), List.of(), effort);
    }
}
