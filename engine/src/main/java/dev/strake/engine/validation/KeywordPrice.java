package dev.strake.engine.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.SchemaException;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.pattern.TextPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * The price of applying one keyword of a schema to a value, in units of a {@link Budget}. It covers what the library
 * reads of the keyword's own value and of the data, but no nested keywords.
 *
 * @param width the size of the keyword's value: names, alternatives, allowed values
 * @param patterns the patterns for which texts or names in the data are searched
 */
record KeywordPrice(String keyword, long width, List<TextPattern> patterns) {

    /** The price of applying the simplest keyword, as the number of values that could be read instead. */
    private static final long LEAST = 10;

    /**
     * Measures a keyword, and compiles its patterns.
     *
     * @param siblings the schema that contains the keyword
     * @throws SchemaException if a pattern is not valid; the library would log it
     */
    static KeywordPrice of(String keyword, JsonNode value, JsonNode siblings) {
        List<TextPattern> patterns = switch (keyword) {
            case "pattern" ->
                value.isTextual() ? compiled(List.of(value.textValue()).iterator()) : List.of();
            case "patternProperties", "additionalProperties" -> {
                JsonNode named = siblings.get("patternProperties");
                yield named == null ? List.of() : compiled(named.fieldNames());
            }
            default -> List.of();
        };
        long width = value.size();
        for (JsonNode item : value) {
            width += item.isArray() ? item.size() : 0;
        }
        return new KeywordPrice(keyword, keyword.equals("enum") ? width + crowding(value) : width, patterns);
    }

    private static List<TextPattern> compiled(Iterator<String> texts) {
        List<TextPattern> patterns = new ArrayList<>();
        try {
            texts.forEachRemaining(text -> patterns.add(TextPattern.of(text)));
        } catch (IllegalArgumentException e) {
            throw new SchemaException(e);
        }
        return patterns;
    }

    void spend(Budget budget, JsonNode node) {
        budget.spend(LEAST + Budget.ENTRY * (width + node.size()));
        if (node.isTextual()) {
            spendTexts(budget, 1, node.textValue().length());
        } else if (!patterns.isEmpty()) {
            long characters = 0;
            for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
                characters += names.next().length();
            }
            spendTexts(budget, node.size(), characters);
        }
        if (keyword.equals("enum") || keyword.equals("uniqueItems")) {
            spendAll(budget, node);
        }
        if (keyword.equals("uniqueItems")) {
            budget.spend(crowding(node));
        }
    }

    private void spendTexts(Budget budget, long texts, long characters) {
        budget.spendText(characters);
        for (TextPattern pattern : patterns) {
            budget.spend(pattern.effort(texts, characters));
        }
    }

    /* Hashing and comparing read the whole of a value. */
    private static void spendAll(Budget budget, JsonNode node) {
        budget.spend(Budget.ENTRY + (node.isTextual() ? node.textValue().length() / Budget.CHARACTERS : 0));
        for (JsonNode child : node) {
            spendAll(budget, child);
        }
    }

    /* Values with equal hash codes are compared pair by pair, which an author may provoke. */
    private static long crowding(JsonNode values) {
        int[] hashes = new int[values.size()];
        int i = 0;
        for (JsonNode value : values) {
            hashes[i++] = value.hashCode();
        }
        Arrays.sort(hashes);
        long sum = 0;
        for (int from = 0, to; from < hashes.length; from = to) {
            to = from + 1;
            while (to < hashes.length && hashes[to] == hashes[from]) {
                to++;
            }
            sum += (to - from - 1L) * (to - from);
        }
        return sum;
    }

    @Override
    public String toString() {
        return "KeywordPrice[" + keyword + "]";
    }
}
