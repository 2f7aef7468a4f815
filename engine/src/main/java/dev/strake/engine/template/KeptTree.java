package dev.strake.engine.template;

import dev.strake.engine.template.fault.Fault;
import dev.strake.engine.template.fault.FaultCode;
import dev.strake.engine.template.fault.FaultException;
import dev.strake.engine.template.source.ReachableFiles;
import dev.strake.engine.template.source.SourceFile;
import dev.strake.engine.template.tree.Memory;
import dev.strake.engine.template.tree.Node;
import dev.strake.engine.template.tree.Reads;
import dev.strake.engine.template.tree.Validation;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A tree of templates that is kept valid while its files change. It remembers what it knows from the last validation, so
 * validating it again costs about as much as what differs. What it answers depends on the request and the files alone:
 * without its memory it answers the same.
 *
 * <p>Not for several threads at once.
 */
public final class KeptTree {

    private final Memory memory;
    private final ReachableFiles reachable = new ReachableFiles();
    private IdentityHashMap<Node, MapValue> schemas = new IdentityHashMap<>();
    private Last last;

    private record Last(TreeRequest request, Fingerprint template, ValidatedTree tree) {}

    /** @param bytes about how much heap may be taken to remember nested stacks; 0 to remember none */
    public KeptTree(long bytes) {
        memory = new Memory(bytes);
    }

    /**
     * The tree as it is now; the same object as before if nothing differs that the last validation looked at.
     *
     * @param documents the file of a name; null if there is none
     */
    public ValidatedTree validate(TreeRequest request, Function<String, SourceFile> documents) {
        SourceFile template = documents.apply(request.template());
        ReachableFiles.Collected files = reachable.collect(template, request.environments(), documents);
        if (template == null) {
            last = null;
            Fault missing =
                    Fault.of(FaultCode.TEMPLATE_MISSING, "there is no template with the name " + request.template());
            return new ValidatedTree(
                    List.of(),
                    0,
                    List.of(),
                    List.of(missing),
                    files.names(),
                    Set.of(request.template()),
                    0,
                    Reads.NONE);
        }
        var environments = new Validation.Environments(null, request.environments(), request.parameters());
        if (last == null || isDue(request, template, files, environments)) {
            last = new Last(request, template.fingerprint(), validated(request, template, files, environments));
        }
        return last.tree;
    }

    /** How many nested stacks had to be looked at when the tree was validated last. */
    public int walked() {
        return memory.walked();
    }

    /** About how much heap the nested stacks take that are remembered, in bytes. */
    public long held() {
        return memory.held();
    }

    private boolean isDue(
            TreeRequest request,
            SourceFile template,
            ReachableFiles.Collected files,
            Validation.Environments environments) {
        return !request.equals(last.request)
                || !template.fingerprint().equals(last.template)
                || !files.names().equals(last.tree.files())
                || !files.absent().equals(last.tree.absent())
                || !last.tree.reads().wouldBeSame(template, files, environments, memory);
    }

    private ValidatedTree validated(
            TreeRequest request,
            SourceFile template,
            ReachableFiles.Collected files,
            Validation.Environments environments) {
        boolean deep = request.mode() == TemplateRequest.Mode.DEEP;
        Validation validation = new Validation(template, files, request.limits(), deep, true, memory);
        Node root = null;
        List<Fault> faults;
        try {
            Validation.Outcome outcome = validation.run(environments);
            root = outcome.root();
            faults = outcome.faults();
        } catch (FaultException e) {
            faults = List.of(e.fault());
        }
        memory.retain(template.name(), files.names());
        List<ValidatedTree.Stack> stacks = new ArrayList<>();
        IdentityHashMap<Node, MapValue> before = schemas;
        schemas = new IdentityHashMap<>();
        int parameters = root == null ? 0 : add(root, new ArrayList<>(), stacks, before);
        return new ValidatedTree(
                stacks,
                parameters,
                root == null ? List.of() : Findings.needed(root),
                faults,
                files.names(),
                files.absent(),
                validation.effort(),
                validation.reads(environments));
    }

    private int add(
            Node node, List<String> path, List<ValidatedTree.Stack> stacks, IdentityHashMap<Node, MapValue> before) {
        MapValue schema = before.get(node);
        if (schema == null) {
            schema = AnswerJson.alone(node);
        }
        schemas.put(node, schema);
        stacks.add(new ValidatedTree.Stack(path, schema));
        int parameters = node.parameters().size();
        for (Map.Entry<String, Node> child : node.children().entrySet()) {
            path.add(child.getKey());
            parameters += add(child.getValue(), path, stacks, before);
            path.remove(path.size() - 1);
        }
        return parameters;
    }
}
