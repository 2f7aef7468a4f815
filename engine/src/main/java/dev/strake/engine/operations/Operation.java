package dev.strake.engine.operations;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/** One edit of a tree. Values are immutable, so a later operation cannot change the value of this one. */
public sealed interface Operation permits Operation.Replace, Operation.Remove, Operation.Test {

    OperationPath path();

    /** The author's message for a failure of this operation; null if there is none. */
    String error();

    /** The type of this operation as written in an operations file. */
    String type();

    /**
     * The tree after this operation; the same object if it changes nothing.
     *
     * @throws OperationPathException if this operation fails
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

    /** Removes a value. */
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
     * Fails unless the value at the path is the expected one. Changes nothing.
     *
     * @param expected the required value; null if the value has to be absent
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
                            "found " + found.kindWithArticle() + ", expected " + expected.kindWithArticle());
                }
            }
            return document;
        }

        private void checkAbsence(Value document, Budget budget) throws OperationPathException {
            try {
                if (Text.isSealed(path.find(document, budget))) {
                    return; // unknown whether sealed data has a value there
                }
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
