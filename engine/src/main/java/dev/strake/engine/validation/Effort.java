package dev.strake.engine.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import dev.strake.engine.limit.Budget;

/**
 * One check of one document that counts its own work. A few lines of schema can refer to themselves without end, or
 * double the work forty times. Either would block all other documents, so the check is aborted.
 */
final class Effort extends ExecutionContext {

    /** The price of recording a violation: it takes time, and all violations are on the heap. */
    private static final int BROKEN_RULE = 1_000;

    /** The maximum nesting of keywords: four for each level of the deepest document. It takes about 1 MiB of stack. */
    private static final int DEEPEST = 1_000;

    private final Budget budget;
    private int depth;

    Effort(ExecutionConfig config, Budget budget) {
        super(config);
        this.budget = budget;
    }

    /** The schema refers to itself or is nested too deep. The message can be shown to its author. */
    static final class ExceededException extends RuntimeException {

        ExceededException(String message) {
            super(message);
        }
    }

    @Override
    public void addError(Error error) {
        budget.spend(BROKEN_RULE);
        super.addError(error);
    }

    private void enter(KeywordPrice price, JsonNode node) {
        price.spend(budget, node);
        if (++depth > DEEPEST) {
            throw new ExceededException("the schema refers to itself endlessly, or is nested too deeply");
        }
    }

    /** Wraps a keyword so that each application is counted. */
    static Keyword counting(Keyword keyword) {
        return new CountingKeyword(keyword);
    }

    private record CountingKeyword(Keyword keyword) implements Keyword {

        @Override
        public String getValue() {
            return keyword.getValue();
        }

        @Override
        public KeywordValidator newValidator(
                SchemaLocation location, JsonNode node, Schema parent, SchemaContext context) throws Exception {
            KeywordPrice price = KeywordPrice.of(keyword.getValue(), node, parent.getSchemaNode());
            KeywordValidator validator = keyword.newValidator(location, node, parent, context);
            return validator == null ? null : new CountingValidator(validator, price);
        }
    }

    private record CountingValidator(KeywordValidator validator, KeywordPrice price) implements KeywordValidator {

        @Override
        public void validate(ExecutionContext context, JsonNode node, JsonNode root, NodePath location) {
            JsonNode judged = node;
            if (looksForEqualItems()) {
                if (!node.isArray()) {
                    return; // the library also checks mappings, but draft 4 (5.3.4) defines the keyword for lists
                }
                judged = JsonNodes.withNumbersByWorth(node);
            }
            if (context instanceof Effort effort) {
                effort.enter(price, node);
                validator.validate(context, judged, root, location);
                effort.depth--;
            } else {
                validator.validate(context, judged, root, location);
            }
        }

        private boolean looksForEqualItems() {
            return getKeyword().equals("uniqueItems");
        }

        @Override
        public void preloadSchema() {
            validator.preloadSchema();
        }

        @Override
        public String getKeyword() {
            return validator.getKeyword();
        }

        @Override
        public SchemaLocation getSchemaLocation() {
            return validator.getSchemaLocation();
        }
    }
}
