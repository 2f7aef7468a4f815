package dev.strake.heat;

import dev.strake.engine.derivation.Derivation;
import dev.strake.engine.derivation.OwnerData;
import dev.strake.engine.derivation.Reader;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.template.TemplateRequest.Mode;
import dev.strake.heat.template.TreeLimits;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Validates a tree of Heat templates whenever one of its files changes. Each stack of the tree yields a document with
 * the schema of its parameters, in the form of Heat's answer. The data of the owner:
 *
 * <pre>
 *   template: overcloud.yaml          the name of the root template
 *   environments: [network.yaml]      the names of environments, in order; optional
 *   parameters: {Name: value}         values for the root template; environments override them
 *   mode: deep                        or as-heat: see {@link Mode}
 *   max_nested_depth: 5               the maximum depth of nested stacks
 * </pre>
 *
 * <p>Templates, environments and all other files are documents, see {@link StackFiles}. Faults of the tree become
 * problems of the owner. The tree behaves as in OpenStack Heat, see docs/heat-compatibility.md.
 */
public final class HeatStack implements Derivation {

    /** The schema of the owners. */
    public static final String SCHEMA = "heat/Stack/v1";

    /** The schema of the derived documents. */
    public static final String DERIVED = "heat/ParameterSchema/v1";

    private static final Set<String> KEYS =
            Set.of("template", "environments", "parameters", "mode", "max_nested_depth");

    /** Deeper than any real tree; each level takes space on the stack of a thread. */
    private static final int DEEPEST = 50;

    private static final TreeLimits LIMITS = new TreeLimits(
            TreeLimits.DEFAULT.nesting(),
            TreeLimits.DEFAULT.resources(),
            MOST_DERIVED,
            TreeLimits.DEFAULT.parameters(),
            TreeLimits.DEFAULT.effort());

    /** Faults whose messages quote values. Problems must not quote them, as any value may be a secret. */
    private static final Set<FaultCode> QUOTING = EnumSet.of(
            FaultCode.PARAMETER_DEFAULT,
            FaultCode.PARAMETER_VALUE,
            FaultCode.PROPERTY_VALUE,
            FaultCode.DELETION_POLICY,
            FaultCode.FUNCTION_ARGUMENTS,
            FaultCode.CONDITION);

    @Override
    public String schema() {
        return SCHEMA;
    }

    @Override
    public void check(Value data) throws EvaluationException {
        request(data);
    }

    @Override
    public Map<DocumentKey, Value> derive(DocumentId owner, Value data, Reader reader, Consumer<Problem> problems)
            throws EvaluationException {
        TreeRequest request = request(data);
        ValidatedTree tree = StackFiles.validate(request, reader);
        if (tree == null) {
            return Map.of();
        }
        if (!tree.faults().isEmpty()) {
            EvaluationException wrong = wrong(request, owner, tree, reader.isSecret());
            if (tree.stacks().isEmpty()) {
                throw wrong;
            }
            problems.accept(wrong.toProblem(owner));
        }
        Map<DocumentKey, Value> documents = new LinkedHashMap<>();
        for (ValidatedTree.Stack stack : tree.stacks()) {
            boolean isTop = stack.path().isEmpty();
            DocumentKey key = key(owner, stack.path());
            if (documents.put(key, isTop ? top(stack.schema(), tree) : stack.schema()) != null) {
                throw new EvaluationException(
                        ProblemCode.DERIVATION_FAILED,
                        ".data.template",
                        "two stacks of the tree derive " + key,
                        "use resource names without /",
                        null);
            }
        }
        boolean hasSecrets = reader.isSecret(); // each document depends on all files that were read
        documents.replaceAll((key, value) -> value.secretIf(hasSecrets));
        return documents;
    }

    private static DocumentKey key(DocumentId owner, List<String> path) throws EvaluationException {
        String name = path.isEmpty() ? owner.name() : owner.name() + "/" + String.join("/", path);
        if (name.length() > DocumentId.LONGEST_PART) {
            throw new EvaluationException(
                    ProblemCode.LIMIT_EXCEEDED,
                    ".metadata.name",
                    "derives a document whose name has more than " + DocumentId.LONGEST_PART + " characters",
                    "shorten the name of the stack, or of resources in its templates",
                    null);
        }
        return new DocumentKey(DERIVED, name);
    }

    private static MapValue top(MapValue schema, ValidatedTree tree) {
        MapValue counts = MapValue.builder()
                .put("stacks", tree.stacks().size())
                .put("parameters", tree.parameters())
                .put("needs_input", tree.needsInput().size())
                .put("errors", tree.faults().size())
                .build();
        return schema.with(
                        "status", tree.status().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .with("counts", counts)
                .with("needs_input", Findings.toValue(tree.needsInput()))
                .with(
                        "errors",
                        ListValue.of(
                                tree.faults().stream().map(HeatStack::error).toList()));
    }

    private static Value error(Fault fault) {
        return AnswerJson.error(fault).with("place", fault.place());
    }

    /* Reports one fault: an exceeded limit, or else the first. The derived document, if there is one, lists all. */
    private static EvaluationException wrong(
            TreeRequest request, DocumentId owner, ValidatedTree tree, boolean isSecret) {
        Fault first = tree.faults().stream()
                .filter(fault -> fault.code() == FaultCode.LIMIT)
                .findFirst()
                .orElse(tree.faults().get(0));
        boolean quotes = isSecret || QUOTING.contains(first.code());
        StringBuilder message = new StringBuilder("the tree is not valid: ");
        message.append(first.code().code());
        String where = first.pathText();
        message.append(quotes ? (where.isEmpty() ? "" : " at " + where) : ": " + first.text());
        if (first.file() != null) {
            message.append(", in ").append(first.file());
            message.append(first.place() == null ? "" : " " + first.place());
        }
        int more = tree.faults().size() - 1;
        message.append(more == 0 ? "" : ", and " + more + " more");
        int environment = first.file() == null ? -1 : request.environments().indexOf(first.file());
        return new EvaluationException(
                first.code() == FaultCode.LIMIT ? ProblemCode.LIMIT_EXCEEDED : ProblemCode.INVALID_TEMPLATE_TREE,
                environment < 0 ? ".data.template" : ".data.environments[" + environment + "]",
                message.toString(),
                tree.stacks().isEmpty()
                        ? "correct the template or environment; 'strake problem "
                                + first.code().code() + "' explains the code"
                        : new DocumentKey(DERIVED, owner.name()) + " lists all errors",
                null);
    }

    private static TreeRequest request(Value data) throws EvaluationException {
        MapValue map = OwnerData.of(data, KEYS, "template", ProblemCode.INVALID_STACK);
        return new TreeRequest(
                name(map.get("template"), ".data.template"),
                environments(map.get("environments")),
                parameters(map.get("parameters")),
                mode(map.get("mode")),
                LIMITS.nesting(depth(map.get("max_nested_depth"))));
    }

    private static List<String> environments(Value value) throws EvaluationException {
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof ListValue list)) {
            throw invalid(".data.environments", "has to be a list of names, but is " + value.kindWithArticle(), null);
        }
        List<String> names = new ArrayList<>();
        for (Value each : list.items()) {
            names.add(name(each, ".data.environments[" + names.size() + "]"));
        }
        return names;
    }

    private static MapValue parameters(Value value) throws EvaluationException {
        if (value == null) {
            return MapValue.EMPTY;
        }
        if (value instanceof MapValue map) {
            return map;
        }
        throw invalid(
                ".data.parameters", "has to be a mapping of names to values, but is " + value.kindWithArticle(), null);
    }

    private static Mode mode(Value value) throws EvaluationException {
        if (value == null || value.equals(new Text("deep"))) {
            return Mode.DEEP;
        }
        if (value.equals(new Text("as-heat"))) {
            return Mode.AS_HEAT;
        }
        throw invalid(".data.mode", "has to be deep or as-heat", null);
    }

    private static int depth(Value value) throws EvaluationException {
        if (value == null) {
            return LIMITS.nesting();
        }
        if (value instanceof Num num
                && num.literal().matches("[0-9]{1,2}")
                && Integer.parseInt(num.literal()) <= DEEPEST) {
            return Integer.parseInt(num.literal());
        }
        throw invalid(".data.max_nested_depth", "has to be a whole number from 0 to " + DEEPEST, null);
    }

    private static String name(Value value, String at) throws EvaluationException {
        if (value instanceof Text text
                && !text.value().isEmpty()
                && text.value().length() <= DocumentId.LONGEST_PART) {
            return text.value();
        }
        throw invalid(
                at,
                value == null
                        ? "is missing"
                        : "has to be the name of a document, with 1 to " + DocumentId.LONGEST_PART + " characters",
                null);
    }

    private static EvaluationException invalid(String path, String message, String hint) {
        return new EvaluationException(ProblemCode.INVALID_STACK, path, message, hint, null);
    }
}
