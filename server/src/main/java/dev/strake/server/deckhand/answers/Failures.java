package dev.strake.server.deckhand.answers;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Response;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;

/**
 * The body of every response with a status of 400 or more. Deckhand's client library reads these nine members, and
 * fails on any other. {@code messageList} has all problems of a revision with the names of their documents, which
 * Shipyard shows to users.
 */
public final class Failures {

    /** The version of the API. */
    public static final String VERSION = "v1.0";

    private static final String INVALID_FORMAT = ProblemCode.INVALID_DOCUMENT_FORMAT.code();

    private Failures() {}

    public static RefusedException revisionNotFound(String asked) {
        return new RefusedException(
                404,
                ProblemCode.REVISION_NOT_FOUND.code(),
                "The requested revision=%s was not found".formatted(Problem.cut(asked, 40)));
    }

    /** Returns the error for problems of documents; the first problem determines the status. */
    public static RefusedException of(List<Problem> problems) {
        return of(status(problems.get(0).code()), problems);
    }

    /**
     * Returns the error for documents that do not render.
     *
     * @param diagnostics details of some problems, in addition to their hints
     */
    public static RefusedException ofRendering(List<Problem> problems, Map<Problem, MapValue> diagnostics) {
        ProblemCode first = problems.get(0).code();
        return new RefusedException(response(
                status(first),
                VERSION,
                first.code(),
                first == ProblemCode.INVALID_DOCUMENT_FORMAT
                        ? "The provided documents failed schema validation"
                        : sentence(problems.get(0)),
                problems.stream()
                        .map(each -> diagnostics.containsKey(each)
                                ? message(each, "D002").with("diagnostic", diagnostics.get(each))
                                : message(each, "D002"))
                        .toList()));
    }

    /** Returns the error for a rejected change or an unreadable body. */
    public static RefusedException ofBody(List<Problem> problems) {
        ProblemCode first = problems.get(0).code();
        return of(first == ProblemCode.LIMIT_EXCEEDED ? 413 : status(first), problems);
    }

    private static RefusedException of(int status, List<Problem> problems) {
        Problem first = problems.get(0);
        return new RefusedException(response(
                status,
                VERSION,
                first.code() == ProblemCode.INVALID_YAML
                        ? "HTTPBadRequest"
                        : first.code().code(),
                sentence(first),
                problems.stream().map(Failures::message).toList()));
    }

    private static int status(ProblemCode code) {
        return switch (code) {
            case LAYERING_POLICY_NOT_FOUND,
                    SUBSTITUTION_SOURCE_NOT_FOUND,
                    DUPLICATE_DOCUMENT_EXISTS,
                    SINGLETON_DOCUMENT_CONFLICT,
                    REVISION_CONFLICT,
                    SECRET_KEY_NOT_FOUND -> 409;
            case REVISION_NOT_FOUND, REVISION_TAG_NOT_FOUND -> 404;
            default -> 400;
        };
    }

    /**
     * Returns a response with such a body.
     *
     * @param version of the API; N/A outside of the API
     */
    public static Response response(int status, String version, String type, String message, List<MapValue> messages) {
        MapValue details = MapValue.builder()
                .put("errorCount", messages.size())
                .put("errorType", type)
                .put("messageList", ListValue.of(messages))
                .build();
        return YamlAnswers.of(
                status,
                MapValue.builder()
                        .put("apiVersion", version)
                        .put("code", status + " " + reason(status))
                        .put("details", details)
                        .put("kind", "Status")
                        .put("message", message)
                        .put("metadata", MapValue.EMPTY)
                        .put("reason", type.equals(INVALID_FORMAT) ? "Validation" : "Unspecified")
                        .put("retry", status >= 500)
                        .put("status", "Failure")
                        .build());
    }

    /* Jetty's text is shorter than that of the RFC. */
    private static String reason(int status) {
        return status == 500 ? "Internal Server Error" : HttpStatus.getMessage(status);
    }

    public static MapValue message(Value text) {
        return MapValue.of("error", Bool.TRUE).with("message", text);
    }

    /** Formats a problem as a message. */
    static MapValue message(Problem problem) {
        return message(problem, "D001");
    }

    /** @param nameOfFormat Deckhand's code for a format problem: D001 in a document, D002 in rendered data */
    private static MapValue message(Problem problem, String nameOfFormat) {
        boolean isFormat = problem.code() == ProblemCode.INVALID_DOCUMENT_FORMAT;
        MapValue message = message(new Text(sentence(problem)))
                .with("kind", "ValidationMessage")
                .with("level", "Error")
                .with("name", isFormat ? nameOfFormat : problem.code().code())
                .with(
                        "documents",
                        problem.document() == null ? ListValue.EMPTY : ListValue.of(document(problem.document())));
        return problem.hint() == null ? message : message.with("diagnostic", problem.hint());
    }

    private static MapValue document(DocumentId id) {
        return MapValue.of("layer", id.layer()).with("name", id.name()).with("schema", id.schema());
    }

    /** Formats a problem as one sentence: where, what. */
    public static String sentence(Problem problem) {
        StringBuilder text = new StringBuilder();
        if (problem.document() != null) {
            text.append(problem.document()).append(' ');
        }
        if (problem.path() != null) {
            text.append(problem.path()).append(' ');
        }
        text.append(problem.message());
        if (problem.location() != null) {
            String line = "line " + problem.location().line();
            text.append(problem.message().startsWith(line) ? "" : " (" + line + ")");
        }
        return text.toString();
    }
}
