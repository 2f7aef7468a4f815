package dev.strake.server.deckhand.documents;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathConflictException;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Deckhand's diagnostic for data that violates a data schema: the path in the schema, the schema, and the surrounding
 * section of the document. Here the section is that of the published document, because documents that do not render are
 * not stored.
 */
public final class SchemaViolation {

    private static final Text SANITIZED = new Text("Sanitized to avoid exposing secret.");
    private static final String DATA = ".data";

    /** Finds the rule in a message about a data schema. */
    private static final Pattern RULE = Pattern.compile("\\(schema \\$([^)]*)\\)");

    private SchemaViolation() {}

    /**
     * Returns the diagnostic of a violation.
     *
     * @param document with the invalid data, as published
     * @param schema that the data violates
     */
    public static MapValue diagnostic(Problem problem, Document document, Document schema) {
        MapValue.Builder diagnostic = MapValue.builder();
        Matcher rule = RULE.matcher(problem.message());
        if (rule.find()) {
            diagnostic.put("schema_path", rule.group(1).isEmpty() ? "." : rule.group(1));
        }
        if (!schema.isEncrypted()) {
            diagnostic.put("validation_schema", schema.data());
        }
        if (!document.isEncrypted()) {
            Value section = section(problem.path(), document);
            if (section != null) {
                diagnostic.put("error_section", section);
            }
        }
        return diagnostic.build();
    }

    /* Returns the section around the problem, without data of other documents; null if it cannot be determined. */
    private static Value section(String place, Document document) {
        if (place == null || !place.startsWith(DATA)) {
            return null;
        }
        try {
            Value data = document.data();
            for (Substitution substitution : document.substitutions()) {
                for (Substitution.Destination destination : substitution.destinations()) {
                    data = destination.path().compiled().write(data, SANITIZED, RenderLimits.DEFAULT.budget());
                }
            }
            String within = place.substring(DATA.length());
            int last = within.lastIndexOf('.');
            return last <= 0 ? data : Path.of(within.substring(0, last)).first(data, RenderLimits.DEFAULT.budget());
        } catch (PathSyntaxException | PathConflictException e) {
            return null;
        }
    }
}
