package dev.strake.serdes.outcome;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Location;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;

/**
 * A problem as JSON:
 *
 * <pre>{@code
 * {"code", "message", "document": {"schema", "layer", "name"} | null, "path": text | null,
 *  "related": [{"schema", "layer", "name"}, ...], "hint": text | null, "location": {"source", "line"}}
 * }</pre>
 *
 * <p>The layer of a document without one is null. The location is left out if there is none.
 */
public final class ProblemJson {

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
     * @throws IllegalArgumentException if the tree is no problem
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
