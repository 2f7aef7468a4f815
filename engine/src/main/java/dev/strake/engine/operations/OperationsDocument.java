package dev.strake.engine.operations;

import dev.strake.engine.document.Kind;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/**
 * The content of the rendered data of a document of schema {@value #SCHEMA}:
 *
 * <pre>
 *   target: {schema: cf/Manifest/v1, name: cf}     or  {schema: …, labels: {…}}: every document with these labels
 *   order: 10                                      equal orders are sorted by name; 0 if left out
 *   operations: [{type: replace, path: /instances, value: 2}, …]
 * </pre>
 *
 * @param target null if the target cannot be decrypted here
 * @param order if several documents have operations on one target, the document with the lowest order comes first
 * @param content hash of the list of operations as written
 */
public record OperationsDocument(Target target, long order, Operations operations, Fingerprint content) {

    public static final String SCHEMA = Kind.OPERATIONS_SCHEMA;

    /** The order of sealed documents: last, so that no other operation overwrites their unknown result. */
    private static final long LAST = Long.MAX_VALUE;

    /**
     * The documents to which the operations apply: one document by name, or all documents with certain labels.
     *
     * @param name null if the target is given by labels
     * @param labels empty if the target is given by name
     */
    public record Target(String schema, String name, MapValue labels) {

        /** The target in the data of an operations document; null if it is missing or not valid. */
        public static Target of(Value data) {
            if (!(data instanceof MapValue map)
                    || !(map.get("target") instanceof MapValue target)
                    || !(target.get("schema") instanceof Text schema)
                    || target.size() != 2) {
                return null;
            }
            if (target.get("name") instanceof Text name) {
                return new Target(schema.value(), name.value(), MapValue.EMPTY);
            }
            return target.get("labels") instanceof MapValue labels && areLabels(labels)
                    ? new Target(schema.value(), null, labels)
                    : null;
        }

        private static boolean areLabels(MapValue labels) {
            for (int i = 0; i < labels.size(); i++) {
                if (labels.valueAt(i) instanceof Null) {
                    return false;
                }
            }
            return !labels.isEmpty();
        }
    }

    /**
     * Parses rendered data.
     *
     * @throws EvaluationException if the data does not have the form shown above
     */
    public static OperationsDocument of(Value data) throws EvaluationException {
        if (Text.isSealed(data)) {
            return of(null, LAST, data);
        }
        if (!(data instanceof MapValue map)) {
            throw invalid(
                    ".data",
                    "has to be a mapping with target, order and operations, but is " + data.kindWithArticle(),
                    null);
        }
        if (map.without("operations").hasSealed()) {
            return of(null, LAST, Text.sealed("")); // target or order is unknown, so the result is, too
        }
        Target target = Target.of(map);
        if (target == null) {
            throw invalid(
                    ".data.target",
                    "has to be a mapping with schema and name, or with schema and labels",
                    "write target: {schema: …, name: …}");
        }
        return of(target, order(map.get("order")), map.has("operations") ? map.get("operations") : Null.NULL);
    }

    private static OperationsDocument of(Target target, long order, Value list) throws EvaluationException {
        try {
            return new OperationsDocument(target, order, Operations.of(list), Fingerprint.asWritten(list));
        } catch (OperationException e) {
            Problem problem = e.toProblem(".data.operations");
            throw new EvaluationException(problem.code(), problem.path(), problem.message(), problem.hint(), null);
        }
    }

    private static long order(Value order) throws EvaluationException {
        if (order == null || order instanceof Null) {
            return 0;
        }
        if (order instanceof Num num && num.isInteger()) {
            try {
                return Long.parseLong(num.literal());
            } catch (NumberFormatException e) {
                throw invalid(".data.order", "does not fit into 64 bits", "use a smaller integer");
            }
        }
        throw invalid(".data.order", "has to be an integer, but is " + order.kindWithArticle(), null);
    }

    private static EvaluationException invalid(String path, String message, String hint) {
        return new EvaluationException(ProblemCode.INVALID_OPERATIONS, path, message, hint, null);
    }
}
