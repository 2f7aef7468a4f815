package dev.strake.serdes.outcome;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCause;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.problem.ProblemCount;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A problem as JSON:
 *
 * <pre>{@code
 * {"code", "message", "document": {"schema", "layer", "name"} | null, "path": text | null,
 *  "related": [{"schema", "layer", "name"}, ...], "hint": text | null, "location": {"source", "line"},
 *  "waitsFor": {"schema", "layer", "name"}}
 * }</pre>
 *
 * <p>The layer is null if the document has none. The location is left out if it is unknown. In lists of the problems of
 * a revision, {@code waitsFor} is the document whose problem has to be fixed first. Problems that are causes do not
 * have it.
 */
public final class ProblemJson {

    private static final String WAITS_FOR = "waitsFor";

    private ProblemJson() {}

    public static MapValue write(Problem problem) {
        MapValue.Builder json = MapValue.builder()
                .put("code", new Text(problem.code().code()))
                .put("message", new Text(problem.message()))
                .put("document", problem.document() == null ? Null.NULL : write(problem.document()))
                .put("path", textOrNull(problem.path()))
                .put(
                        "related",
                        ListValue.of(problem.related().stream()
                                .map(ProblemJson::write)
                                .toList()))
                .put("hint", textOrNull(problem.hint()));
        if (problem.location() != null) {
            json.put("location", write(problem.location()));
        }
        return json.build();
    }

    /**
     * Writes a problem of a list.
     *
     * @param problemOf finds the problem of a document; null if the document has none, or is unknown
     */
    public static MapValue write(Problem problem, Function<DocumentId, Problem> problemOf) {
        MapValue json = write(problem);
        return ProblemCause.waitsFor(problem, problemOf)
                .map(other -> json.with(WAITS_FOR, write(other)))
                .orElse(json);
    }

    /** Writes problems, each with the document that it waits for. */
    static ListValue writeWithCauses(List<Problem> problems) {
        if (problems.isEmpty()) {
            return ListValue.EMPTY;
        }
        Function<DocumentId, Problem> problemOf = ProblemCause.among(problems);
        return ListValue.of(
                problems.stream().map(each -> write(each, problemOf)).toList());
    }

    /** Reads the causes from a list of problems, in their order. */
    public static List<ProblemCause> readCauses(List<? extends Value> problems) {
        Map<Problem, Optional<DocumentId>> waitsFor = new LinkedHashMap<>();
        problems.forEach(each -> waitsFor.put(read(each), readWaitsFor(each)));
        return ProblemCause.of(List.copyOf(waitsFor.keySet()), waitsFor::get);
    }

    /** Counts the causes in a list of problems, and the problems that wait. */
    public static ProblemCount count(List<? extends Value> problems) {
        int waiting = (int)
                problems.stream().filter(each -> readWaitsFor(each).isPresent()).count();
        return new ProblemCount(problems.size() - waiting, waiting);
    }

    private static Optional<DocumentId> readWaitsFor(Value problem) {
        JsonMembers members = JsonMembers.of(problem);
        return members.has(WAITS_FOR) ? Optional.of(readId(members.get(WAITS_FOR))) : Optional.empty();
    }

    private static MapValue write(Location location) {
        MapValue place = MapValue.builder()
                .put("source", new Text(location.source()))
                .put("line", Num.of(location.line()))
                .build();
        return location.column() == 0 ? place : place.with("column", Num.of(location.column()));
    }

    public static ListValue write(List<Problem> problems) {
        return problems.isEmpty()
                ? ListValue.EMPTY
                : ListValue.of(problems.stream().map(ProblemJson::write).toList());
    }

    public static MapValue write(DocumentId id) {
        return MapValue.builder()
                .put("schema", new Text(id.schema()))
                .put("layer", id.layer().isEmpty() ? Null.NULL : new Text(id.layer()))
                .put("name", new Text(id.name()))
                .build();
    }

    /**
     * Reads a problem from its tree. Unknown members are ignored.
     *
     * @throws IllegalArgumentException if the tree is not a problem
     */
    public static Problem read(Value json) {
        JsonMembers members = JsonMembers.of(json);
        Problem problem =
                Problem.of(ProblemCode.of(members.text("code")), members.text("message"), members.textOrNull("hint"));
        if (members.has("document")) {
            problem = problem.on(readId(members.get("document")));
        }
        if (members.has("path")) {
            problem = problem.at(members.text("path"));
        }
        if (members.has("location")) {
            JsonMembers location = JsonMembers.of(members.get("location"));
            problem = problem.at(new Location(
                    location.text("source"),
                    Math.toIntExact(location.number("line")),
                    location.has("column") ? Math.toIntExact(location.number("column")) : 0));
        }
        return problem.relatedTo(
                members.list("related").stream().map(ProblemJson::readId).toList());
    }

    private static DocumentId readId(Value json) {
        JsonMembers members = JsonMembers.of(json);
        String layer = members.textOrNull("layer");
        return new DocumentId(members.text("schema"), layer == null ? "" : layer, members.text("name"));
    }

    static Value textOrNull(String text) {
        return text == null ? Null.NULL : new Text(text);
    }
}
