package dev.strake.engine.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.AbsoluteIri;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.NonValidationKeyword;
import com.networknt.schema.path.PathType;
import com.networknt.schema.regex.RegularExpression;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.BudgetExceededException;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.pattern.TextPattern;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The compiled body of a DataSchema document: a JSON Schema of draft 4, whatever its {@code $schema} says, as in
 * Deckhand. References can only lead to places within the schema; nothing is ever fetched. Patterns run in linear time.
 */
public final class DataSchema {

    /** The maximum number of reported violations. It keeps messages short. */
    private static final int MAX_VIOLATIONS = 10;

    /* Not preloaded, so unused parts are never read: published schemas have references that lead nowhere. */
    private static final SchemaRegistryConfig CONFIG = SchemaRegistryConfig.builder()
            .regularExpressionFactory(DataSchema::regularExpression)
            .pathType(PathType.LEGACY)
            .formatAssertionsEnabled(false)
            .preloadSchema(false)
            .locale(Locale.ENGLISH)
            .build();

    /* JSON Schema ignores unknown keywords, so they are not logged. */
    private static final Dialect DRAFT_4 = Dialect.builder(Dialects.getDraft4())
            .unknownKeywordFactory((keyword, context) -> new NonValidationKeyword(keyword))
            .keywords(keywords ->
                    keywords.replaceAll((name, keyword) -> name.equals("format") ? keyword : Effort.counting(keyword)))
            .build();

    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDialect(
            DRAFT_4,
            builder -> builder.schemaRegistryConfig(CONFIG)
                    .schemaCacheEnabled(false)
                    .schemaLoader(loader -> loader.fetchRemoteResources(false).block(DataSchema::isInProgram)));

    private static final Schema META_SCHEMA =
            REGISTRY.getSchema(SchemaLocation.of(SpecificationVersion.DRAFT_4.getDialectId()));

    /**
     * The message for a stack overflow on a thread with less stack than the launcher gives it (4 MiB): the deepest
     * schema that {@link Effort} admits and the largest pattern take about 1 MiB each. What fits depends on what the
     * JVM has compiled, so another instance may answer otherwise. An uncaught error would end the pipeline at this
     * document each time.
     */
    private static final String TOO_DEEP =
            "the schema is nested too deeply for the stack of a thread; start Java with -Xss4m";

    /** Matches the messages of the library about a schema that it cannot find. */
    private static final Pattern ELSEWHERE =
            Pattern.compile("(?:[\\w.]+Exception: |Schema from '|Unknown dialect ')(.*?)(?:'.*)?");

    private final Schema schema; // null for an empty body, which accepts everything
    private final long effort;

    private DataSchema(Schema schema, long effort) {
        this.schema = schema;
        this.effort = effort;
    }

    /** A rule that the data breaks: the place and the rule, never the data itself. */
    public record Violation(String path, String message) {}

    /**
     * Compiles a schema.
     *
     * @throws IllegalArgumentException if the body is not a JSON Schema; the message can be shown to its author
     */
    public static DataSchema of(MapValue body, Budget budget) {
        try {
            return compiled(body, budget);
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException(TOO_DEEP, e);
        }
    }

    private static DataSchema compiled(MapValue body, Budget budget) {
        long before = budget.spent();
        if (body.isEmpty()) {
            return new DataSchema(null, 0);
        }
        ObjectNode node = (ObjectNode) JsonNodes.of(body.without("$schema").without("id"), budget);
        checkAgainstMetaSchema(node, budget);
        try {
            return new DataSchema(REGISTRY.getSchema(node), budget.spent() - before);
        } catch (RuntimeException e) { // the library has many classes for this
            throw new IllegalArgumentException("the schema is not a valid JSON Schema (draft 4): " + firstLine(e), e);
        }
    }

    private static void checkAgainstMetaSchema(ObjectNode body, Budget budget) {
        List<Error> errors = errors(META_SCHEMA, body, budget);
        if (!errors.isEmpty()) {
            Error first = errors.get(0);
            throw new IllegalArgumentException("the schema is not a valid JSON Schema (draft 4): at "
                    + dotted(first.getInstanceLocation().toString()) + " " + first.getMessage());
        }
    }

    /** The cost of compiling this schema, in units of a {@link Budget}. A cache of schemas spends it at each use. */
    public long effort() {
        return effort;
    }

    /* Sorted, so that the order depends on data and schema only: the library keeps patterns by their identity. */
    private static List<Error> errors(Schema schema, JsonNode node, Budget budget) {
        Effort effort = new Effort(schema.createExecutionContext().getExecutionConfig(), budget);
        schema.validate(effort, node);
        List<Error> errors = new ArrayList<>(effort.getErrors());
        errors.sort(Comparator.comparing(
                        (Error error) -> error.getInstanceLocation().toString())
                .thenComparing(error -> error.getEvaluationPath().toString()));
        return errors;
    }

    /* Blocks references to the class path: the library would read them, and log those that do not exist. */
    private static boolean isInProgram(AbsoluteIri reference) {
        String text = reference.toString();
        return text.startsWith("classpath:") || text.startsWith("resource:");
    }

    /** Returns the rules that rendered data breaks, in the order of their places; empty if it breaks none. */
    public List<Violation> check(Value data, Budget budget) {
        if (schema == null) {
            return List.of();
        }
        try {
            return errors(schema, JsonNodes.of(data, budget), budget).stream()
                    .limit(MAX_VIOLATIONS)
                    .map(error ->
                            new Violation(dotted(error.getInstanceLocation().toString()), message(error)))
                    .toList();
        } catch (BudgetExceededException e) {
            throw e;
        } catch (RuntimeException e) {
            // A reference to nowhere or an invalid pattern, which the library finds only now, or too deep nesting.
            return List.of(new Violation(".data", "cannot be checked: " + uncheckable(e)));
        } catch (StackOverflowError e) {
            return List.of(new Violation(".data", "cannot be checked: " + TOO_DEEP));
        }
    }

    /* The library's messages name the schema and properties. Values appear only in messages about formats. */
    private static String message(Error error) {
        return error.getMessage() + " (schema " + error.getEvaluationPath() + ")";
    }

    private static String dotted(String location) {
        String path = location.startsWith("$") ? location.substring(1) : location;
        return ".data" + path;
    }

    private static RegularExpression regularExpression(String pattern) {
        TextPattern compiled = TextPattern.of(pattern);
        return text -> compiled.search(text, 0, 0, RenderLimits.NONE.budget()) != null; // Effort has already counted it
    }

    /* The message of the library if it helps authors, or our own if a $ref leads outside the schema. */
    private static String uncheckable(RuntimeException e) {
        String message = firstLine(e);
        boolean ours = e instanceof Effort.ExceededException || e.getCause() instanceof IllegalArgumentException;
        if ((ours && !message.startsWith("URLDecoder")) || message.startsWith("Reference ")) {
            return message;
        }
        Matcher elsewhere = ELSEWHERE.matcher(message);
        return (elsewhere.matches() ? "the $ref " + elsewhere.group(1) : "a $ref")
                + " of the schema cannot be resolved; use #/definitions/… in the schema itself, because nothing is"
                + " fetched";
    }

    private static String firstLine(RuntimeException e) {
        Throwable source = e.getCause() instanceof IllegalArgumentException cause ? cause : e; // our own message
        String message = source.getMessage() == null ? e.getClass().getSimpleName() : source.getMessage();
        return message.lines().findFirst().orElse("");
    }
}
