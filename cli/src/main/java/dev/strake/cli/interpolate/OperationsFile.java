package dev.strake.cli.interpolate;

import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.Operation;
import dev.strake.engine.operations.OperationException;
import dev.strake.engine.operations.Operations;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.ReadDocument;
import java.util.ArrayList;
import java.util.List;

/**
 * An operations file.
 *
 * @param text contains the location of each operation
 */
record OperationsFile(ReadDocument text, Operations operations) {

    static OperationsFile of(ReadDocument text) throws InvalidInputException {
        try {
            return new OperationsFile(text, Operations.of(text.value()));
        } catch (OperationException e) {
            throw located(text, e);
        }
    }

    int size() {
        return operations.items().size();
    }

    /** Applies one of the operations to a document. */
    Value apply(int number, Value document, RenderLimits limits) throws InvalidInputException {
        try {
            return operations.applyOne(number, document, limits.budget());
        } catch (OperationException e) {
            throw located(text, e);
        }
    }

    private static InvalidInputException located(ReadDocument text, OperationException e) {
        Problem problem = text.locate(e.toProblem(""));
        return new InvalidInputException(problem.at((String) null)); // the message contains the index
    }

    /** Describes unknown fields of the operations, which bosh ignores, too. */
    List<String> ignored() {
        List<String> ignored = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            for (String field : Operations.ignoredFields(text.value(), i)) {
                ignored.add("%s: operation [%d] has an unknown field '%s', which is ignored"
                        .formatted(text.locate("[" + i + "]"), i, field));
            }
        }
        return ignored;
    }

    /** Describes an operation by its location, type and path. */
    String describe(int number) {
        Operation operation = operations.items().get(number);
        return text.locate("[" + number + "]") + " " + operation.type() + " '" + operation.path() + "'";
    }
}
