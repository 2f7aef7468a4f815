package dev.strake.engine.oracle;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Decides which mappings are schemas of draft 4: implements the rules of its meta-schema one by one. */
final class SchemaBody {

    private static final Set<String> TYPES =
            Set.of("array", "boolean", "integer", "null", "number", "object", "string");

    private SchemaBody() {}

    /** Whether a body is a schema. Its declared dialect and name are ignored. */
    static boolean isSchema(Value body) {
        return body instanceof MapValue map
                && isSchemaBelow(map.without("$schema").without("id"));
    }

    private static boolean isSchemaBelow(Value body) {
        return body instanceof MapValue map && map.keys().stream().allMatch(key -> fits(key, map.get(key), map));
    }

    private static boolean fits(String keyword, Value rule, MapValue rules) {
        return switch (keyword) {
            case "id", "$schema", "title", "description", "format" -> rule instanceof Text;
            case "pattern" -> rule instanceof Text text && isPattern(text.value());
            case "multipleOf" -> rule instanceof Num num && num.decimal().signum() > 0;
            case "maximum", "minimum" -> rule instanceof Num;
            case "exclusiveMaximum" -> rule instanceof Bool && rules.has("maximum");
            case "exclusiveMinimum" -> rule instanceof Bool && rules.has("minimum");
            case "uniqueItems" -> rule instanceof Bool;
            case "maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties" ->
                rule instanceof Num num
                        && num.literal().matches("-?[0-9]+")
                        && num.decimal().compareTo(BigDecimal.ZERO) >= 0;
            case "additionalItems", "additionalProperties" -> rule instanceof Bool || isSchemaBelow(rule);
            case "items" -> isSchemaBelow(rule) || isList(rule, 1, SchemaBody::isSchemaBelow);
            case "allOf", "anyOf", "oneOf" -> isList(rule, 1, SchemaBody::isSchemaBelow);
            case "not" -> isSchemaBelow(rule);
            case "required" -> isListOfTexts(rule);
            case "enum" -> isList(rule, 1, each -> true) && areUnique(((ListValue) rule).items());
            case "type" ->
                isType(rule) || (isList(rule, 1, SchemaBody::isType) && areUnique(((ListValue) rule).items()));
            case "definitions", "properties" -> isMap(rule, SchemaBody::isSchemaBelow);
            case "patternProperties" ->
                isMap(rule, SchemaBody::isSchemaBelow)
                        && ((MapValue) rule).keys().stream().allMatch(SchemaBody::isPattern);
            case "dependencies" -> isMap(rule, each -> isSchemaBelow(each) || isListOfTexts(each));
            default -> true;
        };
    }

    /* A pattern that this program does not support makes a body invalid, in any place. */
    private static boolean isPattern(String pattern) {
        try {
            Patterns.of(pattern);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isType(Value rule) {
        return rule instanceof Text text && TYPES.contains(text.value());
    }

    private static boolean isListOfTexts(Value rule) {
        return isList(rule, 1, each -> each instanceof Text) && areUnique(((ListValue) rule).items());
    }

    private static boolean isList(Value rule, int least, Predicate<Value> item) {
        return rule instanceof ListValue list
                && list.size() >= least
                && list.items().stream().allMatch(item);
    }

    private static boolean isMap(Value rule, Predicate<Value> item) {
        return rule instanceof MapValue map && map.keys().stream().map(map::get).allMatch(item);
    }

    private static boolean areUnique(List<Value> items) {
        return items.stream().distinct().count() == items.size();
    }
}
