package dev.strake.engine.readiness;

import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The validation {@code deckhand-schema-validation}. Deckhand removed it in 2020, but its manual still describes it.
 * Deckhand made it with each PUT; here it is derived from the known problems of the revision. It has an entry for each
 * document of the buckets that the revision wrote, and one for every other document with a problem.
 *
 * <p>As in Deckhand, it ignores two kinds of problems: a revision without a layering policy, and data that breaks a
 * data schema of the author. Deckhand finds both when it renders documents.
 */
public final class SchemaValidation {

    public static final String NAME = "deckhand-schema-validation";

    private static final MapValue VALIDATOR = MapValue.of("name", new Text("strake"));

    /** The maximum number of entries. Beyond it, entries of documents without problems are dropped first. */
    public static final int MOST = 10_000;

    private SchemaValidation() {}

    /**
     * Derives the results.
     *
     * @param written the documents of the buckets that the revision wrote
     * @param problems the problems of the revision; no more than {@link #MOST} problems of documents are needed
     * @param now the time of the results
     */
    public static List<ValidationResult> of(List<DocumentId> written, List<Problem> problems, long now) {
        Map<DocumentId, List<MapValue>> errors = new LinkedHashMap<>();
        Set<DocumentId> breaking = breaking(problems);
        for (Problem problem : problems) {
            if (counts(problem, breaking)) {
                errors.computeIfAbsent(problem.document(), none -> new ArrayList<>())
                        .add(error(problem));
            }
        }
        Set<DocumentId> all = new LinkedHashSet<>(written);
        all.addAll(errors.keySet());
        if (all.isEmpty()) { // no document to validate
            return List.of(result(List.of(), now));
        }
        long successes = Math.max(0, MOST - errors.size());
        List<ValidationResult> results = new ArrayList<>();
        for (DocumentId id : all) {
            List<MapValue> found = errors.getOrDefault(id, List.of());
            if (results.size() < MOST && (!found.isEmpty() || successes-- > 0)) {
                results.add(result(found, now));
            }
        }
        return results;
    }

    private static ValidationResult result(List<MapValue> errors, long now) {
        String status = errors.isEmpty() ? ValidationResult.SUCCESS : ValidationResult.FAILURE;
        return new ValidationResult(NAME, status, VALIDATOR, errors, now);
    }

    /* The documents with data that breaks a data schema. */
    private static Set<DocumentId> breaking(List<Problem> problems) {
        return problems.stream()
                .filter(problem -> isOfFormat(problem)
                        && problem.related().stream()
                                .anyMatch(each -> each.schema().equals(Kind.DATA_SCHEMA)))
                .map(Problem::document)
                .collect(Collectors.toSet());
    }

    /* Excludes a missing layering policy, and format problems of the given documents and of their dependents. */
    private static boolean counts(Problem problem, Set<DocumentId> breaking) {
        boolean isOfData = isOfFormat(problem)
                && (breaking.contains(problem.document())
                        || problem.related().stream().anyMatch(breaking::contains));
        return !isOfData && problem.code() != ProblemCode.LAYERING_POLICY_NOT_FOUND;
    }

    private static boolean isOfFormat(Problem problem) {
        return problem.code() == ProblemCode.INVALID_DOCUMENT_FORMAT;
    }

    /* The error quotes no data, because messages of problems do not. */
    private static MapValue error(Problem problem) {
        List<Value> documents = new ArrayList<>();
        if (problem.document() != null) {
            documents.add(MapValue.builder()
                    .put("schema", new Text(problem.document().schema()))
                    .put("layer", new Text(problem.document().layer()))
                    .put("name", new Text(problem.document().name()))
                    .build());
        }
        MapValue.Builder error = MapValue.builder()
                .put("name", new Text(problem.code().code()))
                .put("kind", new Text("ValidationMessage"))
                .put("level", new Text("Error"))
                .put("documents", ListValue.of(documents))
                .put(
                        "message",
                        new Text(
                                problem.path() == null ? problem.message() : problem.path() + " " + problem.message()));
        if (problem.hint() != null) {
            error.put("diagnostic", new Text(problem.hint()));
        }
        return error.build();
    }
}
