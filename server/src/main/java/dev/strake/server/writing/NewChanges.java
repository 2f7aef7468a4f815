package dev.strake.server.writing;

import dev.strake.client.NewChange;
import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.Tally;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import dev.strake.server.http.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts requests to changes. Validation is left to the pipeline; a body is parsed only if it is too large for one
 * record or may contain secrets to seal.
 *
 * @param sealing seals secrets sent in clear text; empty without keys
 */
public record NewChanges(Limits limits, Supplier<Optional<SealedData.Seal>> sealing) {

    /** The query parameters of all routes that publish changes. */
    static final List<String> PARAMETERS = List.of("author", "message", "max-removals", "as-deckhand", "dry-run");

    /** The request header with the id of the change. */
    public static final String ID = "Idempotency-Key";

    private static final Pattern ID_TEXT = Pattern.compile("[ -~]{1,256}");
    private static final Pattern ETAG = Pattern.compile("\"?([0-9]{1,18})\"?");
    private static final Pattern WAIT = Pattern.compile("(?:.*[,; ])?wait=([0-9]{1,3})(?:[,; ].*)?");
    private static final Duration USUAL_PATIENCE = Duration.ofSeconds(30);
    private static final Duration MOST_PATIENCE = Duration.ofMinutes(2);
    private static final int LONGEST_AUTHOR = 1_024;
    private static final int LONGEST_MESSAGE = 4_096;

    /**
     * Returns a change of documents of a bucket: put or deleted.
     *
     * @throws IllegalArgumentException if the request is invalid, as in all methods of this class
     */
    public NewChange ofBucket(Request request, ChangeType type) {
        String bucket = request.path("bucket");
        if (!WorkspaceKey.isName(bucket)) {
            throw new IllegalArgumentException("The name of a bucket has to have " + WorkspaceKey.RULE + ".");
        }
        Optional<String> contentType = request.contentType();
        TextFormat format = contentType.isEmpty()
                ? TextFormat.DETECTED
                : TextFormat.ofContentType(contentType.get())
                        .orElseThrow(() -> new IllegalArgumentException(
                                "Content-Type has to be application/yaml or application/json, in UTF-8."));
        byte[] body = request.body();
        Optional<SealedData.Seal> key = type == ChangeType.DOCUMENTS_DELETE ? Optional.empty() : sealing.get();
        if (key.isPresent() && mayBeSecret(body)) {
            List<Value> items = items(body, format);
            List<Value> sealed = sealed(items, request.workspace(), key.get());
            if (!sealed.equals(items)) {
                return NewChange.ofBucket(request.workspace(), id(request), type, bucket, sealed);
            }
        }
        return body.length > NewChange.PART_BYTES
                ? NewChange.ofBucket(request.workspace(), id(request), type, bucket, items(body, format))
                : NewChange.asText(request.workspace(), id(request), type, bucket, body, contentType.orElse(null));
    }

    /* Whether a document may have storagePolicy: encrypted, perhaps with escapes. Spares most bodies from parsing. */
    private static boolean mayBeSecret(byte[] body) {
        String text = new String(body, StandardCharsets.ISO_8859_1);
        return text.contains(StoragePolicy.ENCRYPTED.text().value()) || text.indexOf('\\') >= 0;
    }

    private static List<Value> sealed(List<Value> items, String workspace, SealedData.Seal key) {
        return items.stream()
                .map(item -> item instanceof MapValue document ? SealedData.forService(document, workspace, key) : item)
                .toList();
    }

    private List<Value> items(byte[] body, TextFormat format) {
        try {
            return new DocumentReader(limits)
                    .readDocuments(body, format, "body", new Tally(limits)).stream()
                            .map(ReadDocument::value)
                            .toList();
        } catch (UnreadableTextException e) {
            throw new IllegalArgumentException(e.problem().describe() + ".", e);
        }
    }

    NewChange rollback(Request request) {
        byte[] body = request.body();
        return NewChange.asText(
                request.workspace(),
                id(request),
                ChangeType.ROLLBACK,
                null,
                body,
                request.contentType().orElse(null));
    }

    NewChange tag(Request request) {
        byte[] body = request.body();
        MapValue data = MapValue.EMPTY;
        if (body.length > 0) {
            List<Value> items = items(body, TextFormat.DETECTED);
            if (items.size() != 1 || !(items.get(0) instanceof MapValue map)) {
                throw new IllegalArgumentException("The data of a tag has to be one mapping.");
            }
            data = map;
        }
        return NewChange.tag(request.workspace(), id(request), revision(request), request.path("tag"), data);
    }

    NewChange validation(Request request) {
        List<Value> items = items(request.body(), TextFormat.DETECTED);
        if (items.size() != 1 || !(items.get(0) instanceof MapValue result)) {
            throw new IllegalArgumentException("The result of a validation has to be one mapping.");
        }
        if (result.has("revision") || result.has("name")) {
            throw new IllegalArgumentException(
                    "The path has the revision and the name of the validation. Remove them " + "from the body.");
        }
        return NewChange.validation(request.workspace(), id(request), revision(request), request.path("name"), result);
    }

    NewChange untag(Request request) {
        return NewChange.untag(request.workspace(), id(request), revision(request), request.path("tag"));
    }

    NewChange workspaceDelete(Request request) {
        return NewChange.workspaceDelete(request.workspace(), id(request));
    }

    private static long revision(Request request) {
        String revision = request.path("revision");
        if (!revision.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("The revision has to be a number.");
        }
        return Long.parseLong(revision);
    }

    /** Returns the id of the change from the request, or a new one. */
    public static String id(Request request) {
        String id = request.header(ID).orElseGet(() -> UUID.randomUUID().toString());
        if (!ID_TEXT.matcher(id).matches()) {
            throw new IllegalArgumentException(ID + " has to be 1 to 256 printable characters of ASCII.");
        }
        return id;
    }

    /** Adds the conditions, author and message from the parameters and headers of the request. */
    static NewChange with(Request request, NewChange change) {
        RemovalLimit removals = RemovalLimit.of(change.type());
        if (request.parameter("max-removals").isPresent()) {
            try {
                removals = RemovalLimit.parse(request.parameter("max-removals").get());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("max-removals has to be " + RemovalLimit.RULE + ".", e);
            }
        }
        return change.with(
                new Terms(
                        request.isTrue("dry-run", false),
                        expected(request),
                        removals,
                        request.isTrue("as-deckhand", false)),
                new Note(text(request, "author", LONGEST_AUTHOR), text(request, "message", LONGEST_MESSAGE)));
    }

    private static String text(Request request, String name, int longest) {
        String text = request.parameter(name).filter(each -> !each.isEmpty()).orElse(null);
        if (text != null && text.length() > longest) {
            throw new IllegalArgumentException(name + " has more than " + longest + " characters.");
        }
        return text;
    }

    /* If-None-Match: * means a workspace without revisions. */
    private static Long expected(Request request) {
        Optional<String> none = request.header("If-None-Match");
        if (none.isPresent()) {
            if (!none.get().strip().equals("*") || request.header("If-Match").isPresent()) {
                throw new IllegalArgumentException(
                        "If-None-Match has to be *, which means revision 0, without " + "If-Match.");
            }
            return 0L;
        }
        Optional<String> match = request.header("If-Match");
        if (match.isEmpty()) {
            return null;
        }
        Matcher tag = ETAG.matcher(match.get().strip());
        if (!tag.matches()) {
            throw new IllegalArgumentException(
                    "If-Match has to be the ETag of an earlier answer: the number of a revision in quotes.");
        }
        return Long.valueOf(tag.group(1));
    }

    /** How long the client wants to wait for the outcome (RFC 7240). */
    static Duration patience(Request request) {
        String prefer = request.header("Prefer").orElse("");
        Matcher wait = WAIT.matcher(prefer);
        if (prefer.contains("respond-async")) {
            return Duration.ZERO;
        }
        if (!wait.matches()) {
            return USUAL_PATIENCE;
        }
        Duration asked = Duration.ofSeconds(Long.parseLong(wait.group(1)));
        return asked.compareTo(MOST_PATIENCE) > 0 ? MOST_PATIENCE : asked;
    }
}
