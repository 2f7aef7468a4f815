package dev.strake.heat;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.oracle.NaiveKind;
import dev.strake.engine.oracle.Trouble;
import dev.strake.engine.oracle.Trouble.TroubleException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultCode;
import dev.strake.heat.source.SourceFile;
import dev.strake.heat.template.TemplateRequest.Mode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Derives each stack from scratch: the files of its tree, its documents and its problem. The validation of a tree is
 * shared with the engine; recorded answers of Heat verify it.
 */
public final class NaiveStack implements NaiveKind {

    private static final List<String> FILES = List.of("heat/Template/v1", "heat/Environment/v1", "heat/File/v1");

    @Override
    public String schema() {
        return "heat/Stack/v1";
    }

    @Override
    public ProblemCode codeOfMistake() {
        return ProblemCode.INVALID_STACK;
    }

    @Override
    public Derived derive(String name, MapValue data, Reader reader) throws TroubleException {
        List<String> environments = texts(data.get("environments"));
        MapValue parameters = data.get("parameters") instanceof MapValue map ? map : MapValue.EMPTY;
        Mode mode = new Text("as-heat").equals(data.get("mode")) ? Mode.AS_HEAT : Mode.DEEP;
        int depth = data.get("max_nested_depth") instanceof Num num ? Integer.parseInt(num.literal()) : 5;
        TreeRequest request = new TreeRequest(
                ((Text) data.get("template")).value(),
                environments,
                parameters,
                mode,
                dev.strake.heat.template.TreeLimits.DEFAULT.nesting(depth));
        ValidatedTree tree;
        try {
            tree = TreeValidator.validate(request, file -> file(file, reader));
        } catch (PassedOnException e) {
            throw e.reason;
        }
        Trouble trouble = tree.faults().isEmpty() ? null : trouble(foremost(tree.faults()), environments);
        if (trouble != null && tree.stacks().isEmpty()) {
            throw trouble.exception();
        }
        Map<DocumentKey, Value> documents = new LinkedHashMap<>();
        for (ValidatedTree.Stack stack : tree.stacks()) {
            List<String> names = new ArrayList<>(List.of(name));
            names.addAll(stack.path());
            DocumentKey key = new DocumentKey("heat/ParameterSchema/v1", String.join("/", names));
            Value schema = stack.path().isEmpty() ? top(stack.schema(), tree) : stack.schema();
            if (documents.put(key, schema) != null) {
                throw Trouble.of(ProblemCode.DERIVATION_FAILED, ".data.template")
                        .exception();
            }
        }
        return new Derived(documents, trouble);
    }

    private static Fault foremost(List<Fault> faults) {
        for (Fault fault : faults) {
            if (fault.code() == FaultCode.LIMIT) {
                return fault;
            }
        }
        return faults.get(0);
    }

    private static Trouble trouble(Fault fault, List<String> environments) {
        int environment = fault.file() == null ? -1 : environments.indexOf(fault.file());
        return Trouble.of(
                fault.code() == FaultCode.LIMIT ? ProblemCode.LIMIT_EXCEEDED : ProblemCode.INVALID_TEMPLATE_TREE,
                environment < 0 ? ".data.template" : ".data.environments[" + environment + "]");
    }

    private static MapValue top(MapValue schema, ValidatedTree tree) {
        String status = "complete";
        if (!tree.faults().isEmpty()) {
            status = "invalid";
        } else if (!tree.needsInput().isEmpty()) {
            status = "needs-input";
        }
        long parameters = tree.stacks().stream()
                .mapToLong(stack -> ((MapValue) stack.schema().get("Parameters")).size())
                .sum();
        List<Value> errors = new ArrayList<>();
        for (Fault fault : tree.faults()) {
            Map<String, Value> error = new LinkedHashMap<>();
            error.put("code", new Text(fault.code().code()));
            error.put("kind", new Text(fault.kind()));
            error.put("message", new Text(fault.text()));
            error.put("path", new Text(fault.pathText()));
            error.put("file", fault.file() == null ? Null.NULL : new Text(fault.file()));
            error.put("place", fault.place() == null ? Null.NULL : new Text(fault.place()));
            errors.add(MapValue.of(error));
        }
        Map<String, Value> counts = new LinkedHashMap<>();
        counts.put("stacks", Num.of(tree.stacks().size()));
        counts.put("parameters", Num.of(parameters));
        counts.put("needs_input", Num.of(tree.needsInput().size()));
        counts.put("errors", Num.of(errors.size()));
        Map<String, Value> all = new LinkedHashMap<>();
        schema.keys().forEach(key -> all.put(key, schema.get(key)));
        all.put("status", new Text(status));
        all.put("counts", MapValue.of(counts));
        all.put("needs_input", Findings.toValue(tree.needsInput()));
        all.put("errors", ListValue.of(errors));
        return MapValue.of(all);
    }

    private static SourceFile file(String name, Reader reader) {
        try {
            List<Value> found = new ArrayList<>();
            for (String schema : FILES) {
                Value data = name.isEmpty() ? null : reader.read(new DocumentKey(schema, name));
                if (data != null) {
                    found.add(data);
                }
                if (found.size() > 1) {
                    throw Trouble.of(ProblemCode.DERIVATION_FAILED, ".data").exception();
                }
            }
            return found.isEmpty() ? null : new SourceFile(name, text(found.get(0)), found.get(0), false);
        } catch (TroubleException e) {
            throw new PassedOnException(e);
        }
    }

    private static String text(Value tree) {
        if (tree instanceof Text text) {
            return text.value();
        }
        return tree instanceof Null ? "" : JsonBytes.text(tree);
    }

    private static final class PassedOnException extends RuntimeException {

        private final TroubleException reason;

        PassedOnException(TroubleException reason) {
            this.reason = reason;
        }
    }

    private static List<String> texts(Value list) {
        return list == null
                ? List.of()
                : ((ListValue) list)
                        .items().stream().map(each -> ((Text) each).value()).toList();
    }

    @Override
    public String mistake(Value data) {
        if (!(data instanceof MapValue map)) {
            return ".data";
        }
        Set<String> known = Set.of("template", "environments", "parameters", "mode", "max_nested_depth");
        for (String key : map.keys()) {
            if (!known.contains(key)) {
                return ".data." + key;
            }
        }
        if (!isName(map.get("template"))) {
            return ".data.template";
        }
        if (map.has("environments")) {
            if (!(map.get("environments") instanceof ListValue list)) {
                return ".data.environments";
            }
            for (int i = 0; i < list.size(); i++) {
                if (!isName(list.get(i))) {
                    return ".data.environments[" + i + "]";
                }
            }
        }
        if (map.has("parameters") && !(map.get("parameters") instanceof MapValue)) {
            return ".data.parameters";
        }
        if (map.has("mode") && !Set.of(new Text("deep"), new Text("as-heat")).contains(map.get("mode"))) {
            return ".data.mode";
        }
        boolean isDepth = !map.has("max_nested_depth")
                || (map.get("max_nested_depth") instanceof Num num
                        && num.literal().matches("[0-9]|[1-4][0-9]|50"));
        return isDepth ? null : ".data.max_nested_depth";
    }

    private static boolean isName(Value value) {
        return value instanceof Text text
                && !text.value().isEmpty()
                && text.value().length() <= 1024;
    }
}
