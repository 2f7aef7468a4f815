package dev.strake.engine.operations;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.operations.Operation.Remove;
import dev.strake.engine.operations.Operation.Replace;
import dev.strake.engine.operations.Operation.Test;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A list of operations, parsed once and applied to any number of trees, like go-patch in {@code bosh interpolate}.
 *
 * <p>Each operation works on the result of the operation before. The first failure ends the work. Partial results are
 * never visible, because trees are immutable. An operation costs as much as copying the containers on its path.
 *
 * @param items the operations, in the order in which they are applied
 */
public record Operations(List<Operation> items) {

    public static final Operations NONE = new Operations(List.of());

    private static final Set<String> FIELDS = Set.of("type", "path", "value", "absent", "error");

    private static final String KNOWN = "type, path, value, absent and error";

    public Operations {
        items = List.copyOf(items);
    }

    /**
     * Parses a list of operations: maps with {@code type}, {@code path}, {@code value}, {@code absent} and
     * {@code error}. Null is an empty list; other fields are ignored.
     *
     * @throws OperationException for the first operation that is not valid
     */
    public static Operations of(Value list) throws OperationException {
        if (list instanceof Null) {
            return NONE;
        }
        if (Text.isSealed(list)) {
            return new Operations(List.of(anything(list)));
        }
        if (!(list instanceof ListValue operations)) {
            throw OperationException.invalid(
                    OperationException.NO_OPERATION,
                    "Expected to find a list of operations but found " + list.kind(),
                    null,
                    "put a dash before each operation");
        }
        List<Operation> items = new ArrayList<>(operations.size());
        for (int i = 0; i < operations.size(); i++) {
            if (Text.isSealed(operations.get(i))) {
                items.add(anything(operations.get(i)));
                continue;
            }
            if (!(operations.get(i) instanceof MapValue fields)) {
                throw OperationException.invalid(
                        i,
                        "Operation [" + i + "]: Expected to find a map but found "
                                + operations.get(i).kind(),
                        null,
                        "an operation has a type and a path");
            }
            items.add(new Fields(i, fields).read());
        }
        return new Operations(items);
    }

    /** An operation that is {@linkplain Text#sealed sealed} may do anything: the whole document counts as sealed. */
    private static Operation anything(Value sealed) {
        return new Replace(OperationPath.ROOT, sealed, null);
    }

    /**
     * The unknown fields of one operation, which are ignored: for example {@code vlaue} or {@code optional}.
     *
     * @param list the list, as passed to {@link #of}
     * @param number the position of the operation in the list
     */
    public static List<String> ignoredFields(Value list, int number) {
        return ignored((MapValue) ((ListValue) list).get(number));
    }

    private static List<String> ignored(MapValue operation) {
        return operation.keys().stream().filter(key -> !FIELDS.contains(key)).toList();
    }

    /**
     * The tree after all operations.
     *
     * @param budget the budget for these operations and for all other work on the document
     * @throws OperationException for the operation that failed
     */
    public Value applyTo(Value document, Budget budget) throws OperationException {
        Value result = document;
        for (int i = 0; i < items.size(); i++) {
            result = applyOne(i, result, budget);
        }
        return result;
    }

    /**
     * The tree after one of the operations, to show the effect of each operation.
     *
     * @param number the position of the operation in the list
     */
    public Value applyOne(int number, Value document, Budget budget) throws OperationException {
        Operation operation = items.get(number);
        try {
            Value result = operation.applyTo(document, budget);
            budget.limits().check(result);
            return result;
        } catch (OperationPathException e) {
            throw OperationException.failed(number, operation, e);
        } catch (EvaluationException e) {
            throw OperationException.tooLarge(number, operation, e.getMessage());
        }
    }

    /** The fields of one operation, checked in the same order as in go-patch. */
    private record Fields(int number, MapValue fields) {

        Operation read() throws OperationException {
            for (String field : List.of("type", "path", "absent")) {
                if (Text.isSealed(fields.get(field))) {
                    return anything(fields.get(field));
                }
            }
            String type = type();
            if (!fields.has("path") || fields.get("path") instanceof Null) {
                throw invalid(type, "Missing path");
            }
            Value value = fields.get("value");
            boolean absent = absent(type);
            switch (type) {
                case "replace" -> {
                    if (value == null) {
                        throw invalid(type, "Missing value");
                    }
                }
                case "remove" -> {
                    if (value != null && !(value instanceof Null) && !Text.isSealed(value)) {
                        throw invalid(type, "Cannot specify value");
                    }
                }
                default -> {
                    if (value == null && !(fields.get("absent") instanceof Bool)) {
                        throw invalid(type, "Missing value or absent");
                    }
                }
            }
            OperationPath path = path(type);
            String error = text(type, "error");
            return switch (type) {
                case "replace" -> new Replace(path, value, error);
                case "remove" -> new Remove(path, error);
                default -> new Test(path, absent ? null : value == null ? Null.NULL : value, error);
            };
        }

        private String type() throws OperationException {
            String type = Objects.requireNonNullElse(text("unknown", "type"), "");
            return switch (type) {
                case "replace", "remove", "test" -> type;
                default ->
                    throw OperationException.invalid(
                            number,
                            "Unknown operation [" + number + "] with type '" + type + "'",
                            path(),
                            fields.has("type")
                                    ? "types are replace, remove and test"
                                    : unknown("types are replace, remove and test"));
            };
        }

        private boolean absent(String type) throws OperationException {
            Value absent = fields.get("absent");
            if (absent == null || absent instanceof Null) {
                return false;
            }
            if (absent instanceof Bool bool) {
                return bool.value();
            }
            throw invalid(type, "Expected absent to be true or false but found " + absent.kind());
        }

        private OperationPath path(String type) throws OperationException {
            try {
                // An author who encrypts a whole operation hides its value, not its path: the keys of the path show
                // in the target.
                boolean isSecret = fields.get("path").isSecret() && !fields.isSecret();
                return OperationPath.of(text(type, "path")).secretIf(isSecret);
            } catch (OperationPathException e) {
                throw invalid(type, "Invalid path: " + e.getMessage());
            }
        }

        /* The text of a scalar as written; null if the field is missing or null. */
        private String text(String type, String field) throws OperationException {
            Value value = fields.get(field);
            if (value == null || value instanceof Null) {
                return null;
            }
            if (value instanceof Text text) {
                return text.value();
            }
            if (value instanceof Num num) {
                return num.literal();
            }
            if (value instanceof Bool bool) {
                return String.valueOf(bool.value());
            }
            throw invalid(type, "Expected " + field + " to be a text but found " + value.kind());
        }

        private OperationException invalid(String type, String reason) {
            String name = Character.toUpperCase(type.charAt(0)) + type.substring(1);
            return OperationException.invalid(
                    number, name + " operation [" + number + "]: " + reason, path(), unknown(null));
        }

        /* The hint for a missing field: the unknown fields, which may be misspelled. */
        private String unknown(String otherwise) {
            List<String> unknown = ignored(fields);
            return unknown.isEmpty()
                    ? otherwise
                    : "unknown fields: '" + String.join("', '", unknown) + "'; use " + KNOWN;
        }

        private String path() {
            return fields.get("path") instanceof Text text ? text.value() : null;
        }
    }
}
