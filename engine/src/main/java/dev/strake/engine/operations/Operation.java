package dev.strake.engine.operations;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.Value;

/** One edit of a tree. Values are immutable, so what one operation puts in no later one can change in the list. */
public sealed interface Operation permits Operation.Replace, Operation.Remove, Operation.Test {

    OperationPath path();

    /** What its author wants to be said when it fails, or null. */
    String error();

    /** The word for it in an operations file. */
    String type();

    /**
     * The tree after this operation; the same object if it changes nothing.
     *
     * @throws OperationPathException if it cannot be carried out
     */
    Value applyTo(Value document, Budget budget) throws OperationPathException;

    /** Sets, creates, appends or inserts a value. */
    record Replace(OperationPath path, Value value, String error) implements Operation {

        @Override
        public String type() {
            return "replace";
        }

        @Override
        public Value applyTo(Value document, Budget budget) throws OperationPathException {
            return new Walk(path, budget).replace(document, value);
        }
    }

    /** Removes what is there. */
    record Remove(OperationPath path, String error) implements Operation {

        @Override
        public String type() {
            return "remove";
        }

        @Override
        public Value applyTo(Value document, Budget budget) throws OperationPathException {
            return new Walk(path, budget).remove(document);
        }
    }

    /**
     * Goes on only if a value is what is expected, and changes nothing.
     *
     * @param expected the value that has to be there; null if there has to be nothing
     */
    record Test(OperationPath path, Value expected, String error) implements Operation {

        @Override
        public String type() {
            return "test";
        }

        @Override
        public Value applyTo(Value document, Budget budget) throws OperationPathException {
            if (expected == null) {
                checkAbsence(document, budget);
            } else {
                Value found = path.find(document, budget);
                if (!Same.same(found, expected, budget)) {
                    throw new OperationPathException(
                            () -> "Found value does not match expected value",
                            null,
                            false,
                            "found is " + found.kind() + ", expected is " + expected.kind());
                }
            }
            return document;
        }

        private void checkAbsence(Value document, Budget budget) throws OperationPathException {
            try {
                path.find(document, budget);
            } catch (OperationPathException e) {
                if (e.isMissingAtEnd()) {
                    return;
                }
                throw e;
            }
            throw new OperationPathException("Expected to not find '" + path.normal() + "'");
        }
    }
}
