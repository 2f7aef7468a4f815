package dev.strake.heat;

import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.ReachableFiles;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.template.StackNode;
import dev.strake.heat.template.TemplateAnswer;
import dev.strake.heat.template.TemplateRequest;
import dev.strake.heat.template.TemplateRequest.Environments;
import dev.strake.heat.template.TemplateValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Validates a tree whose files are looked up by name, starting with the root template and its environments. */
public final class TreeValidator {

    private TreeValidator() {}

    /**
     * Validates a tree.
     *
     * @param lookup returns the file with a name; null if there is none
     */
    public static ValidatedTree validate(TreeRequest request, Function<String, SourceFile> lookup) {
        SourceFile template = lookup.apply(request.template());
        Map<String, SourceFile> files = ReachableFiles.collect(template, request.environments(), lookup);
        if (template == null) {
            Fault missing =
                    Fault.of(FaultCode.TEMPLATE_MISSING, "the template " + request.template() + " does not exist");
            return new ValidatedTree(List.of(), 0, List.of(), List.of(missing), 0);
        }
        TemplateAnswer answer = TemplateValidator.validate(new TemplateRequest(
                template,
                files,
                new Environments(null, request.environments(), request.parameters()),
                true,
                List.of(),
                request.mode(),
                request.limits()));
        StackNode root = answer.root();
        List<ValidatedTree.Stack> stacks = new ArrayList<>();
        int parameters = root == null ? 0 : add(root, new ArrayList<>(), stacks);
        return new ValidatedTree(
                stacks, parameters, root == null ? List.of() : Findings.needed(root), answer.faults(), answer.effort());
    }

    private static int add(StackNode node, List<String> path, List<ValidatedTree.Stack> stacks) {
        stacks.add(new ValidatedTree.Stack(path, AnswerJson.alone(node)));
        int parameters = node.parameters().size();
        for (Map.Entry<String, StackNode> child : node.children().entrySet()) {
            path.add(child.getKey());
            parameters += add(child.getValue(), path, stacks);
            path.remove(path.size() - 1);
        }
        return parameters;
    }
}
