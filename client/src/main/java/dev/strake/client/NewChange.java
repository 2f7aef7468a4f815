package dev.strake.client;

import static dev.strake.serdes.HeaderNames.add;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.OriginsHeader;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * A change to be published. Its body is JSON, split between items if it is too large for one record:
 *
 * <pre>
 *  part 1/2  [ item, item, item ]        each part is complete JSON and has the same ce_id;
 *  part 2/2  [ item, item ]              the change takes effect when all parts have arrived
 * </pre>
 *
 * @param id 1 to 256 characters; outcomes name it, and the same change may be sent again with it
 * @param bucket null if the change concerns no bucket
 * @param body the content of its records
 * @param terms conditions and options
 * @param note author and message
 */
public record NewChange(
        String workspace, String id, ChangeType type, String bucket, Body body, Terms terms, Note note) {

    private static final String JSON = "application/json";

    /** The rule for ids, in words. */
    public static final String ID_RULE = "1 to " + ChangeEnvelope.Id.LONGEST + " characters";

    /** Well below the limits of topics and requests, and large enough that nearly every change is one record. */
    public static final int PART_BYTES = 8 << 20;

    /**
     * The content of the records of a change.
     *
     * @param parts the values of the records, at least one
     * @param origins the header {@code origins} of each part; empty if the origins of the documents are unknown
     * @param contentType of the parts; null if the service has to detect it
     */
    public record Body(List<byte[]> parts, List<byte[]> origins, String contentType) {
        public Body {
            parts = List.copyOf(parts);
            origins = List.copyOf(origins);
        }
    }

    public NewChange {
        if (!isId(id)) { // the outcome would have another id, which nobody awaits
            throw new IllegalArgumentException("the id of a change has to have " + ID_RULE);
        }
    }

    /** Whether a change can have this id. */
    public static boolean isId(String id) {
        return !id.isEmpty() && id.length() <= ChangeEnvelope.Id.LONGEST;
    }

    /** Creates a JSON change without terms, origins and note. */
    public NewChange(String workspace, String id, ChangeType type, String bucket, List<byte[]> parts) {
        this(workspace, id, type, bucket, new Body(parts, List.of(), JSON), Terms.NONE, Note.NONE);
    }

    /** Returns the same change with other terms and another note. */
    public NewChange with(Terms otherTerms, Note otherNote) {
        return new NewChange(workspace, id, type, bucket, body, otherTerms, otherNote);
    }

    /** The values of the records. */
    public List<byte[]> parts() {
        return body.parts();
    }

    /** The size of all parts in bytes. */
    public long bytes() {
        return parts().stream().mapToLong(part -> part.length).sum();
    }

    /**
     * Creates a change of one part whose body is the text of its author.
     *
     * @param contentType null if the service has to detect it
     */
    public static NewChange asText(
            String workspace, String id, ChangeType type, String bucket, byte[] text, String contentType) {
        return new NewChange(
                workspace, id, type, bucket, new Body(List.of(text), List.of(), contentType), Terms.NONE, Note.NONE);
    }

    /** Creates a change that puts or deletes documents of a bucket. */
    public static NewChange ofBucket(
            String workspace, String id, ChangeType type, String bucket, List<? extends Value> items) {
        return ofBucket(workspace, id, type, bucket, items, List.of());
    }

    /**
     * Creates a change that puts documents into a bucket, and says where their author keeps them.
     *
     * @param origins empty, or one for each document, such as {@code sites/a/db.yaml:12}; an unknown origin is an empty
     *     string
     */
    public static NewChange ofBucket(
            String workspace,
            String id,
            ChangeType type,
            String bucket,
            List<? extends Value> items,
            List<String> origins) {
        if (!origins.isEmpty() && origins.size() != items.size()) {
            throw new IllegalArgumentException(items.size() + " documents, " + origins.size() + " origins");
        }
        List<Text> texts = origins.stream().map(OriginsHeader::item).toList();
        List<byte[]> parts = new ArrayList<>();
        List<byte[]> originsOfParts = new ArrayList<>();
        int from = 0;
        do {
            int to = endOfPart(items, texts, from);
            parts.add(list(items.subList(from, to)));
            if (!texts.isEmpty()) {
                originsOfParts.add(list(texts.subList(from, to)));
            }
            from = to;
        } while (from < items.size());
        return new NewChange(workspace, id, type, bucket, new Body(parts, originsOfParts, JSON), Terms.NONE, Note.NONE);
    }

    /* Returns the index after the last item that fits into one record. An oversized item gets a separate record. */
    private static int endOfPart(List<? extends Value> items, List<Text> origins, int from) {
        long bytes = 1;
        long header = 1;
        int to = from;
        while (to < items.size()) {
            bytes += items.get(to).weight() + 1;
            header += origins.isEmpty() ? 0 : origins.get(to).weight() + 1;
            if (to > from && (bytes > PART_BYTES || header > OriginsHeader.LONGEST_HEADER)) {
                return to;
            }
            to++;
        }
        return to;
    }

    private static byte[] list(List<? extends Value> items) {
        return JsonBytes.of(ListValue.of(List.copyOf(items)));
    }

    /**
     * Reads documents of a YAML or JSON text, which remember their lines as origins.
     *
     * @param source the name of the text, such as {@code site/db.yaml}
     * @throws UnreadableTextException if the text is neither YAML nor JSON
     * @throws DocumentFormatException if the text contains something other than documents
     */
    public static List<Document> read(byte[] text, String source)
            throws UnreadableTextException, DocumentFormatException {
        List<Document> documents = new ArrayList<>();
        DocumentReader reader = new DocumentReader(Limits.DEFAULT).rememberingLines();
        for (ReadDocument each : reader.readDocuments(text, TextFormat.DETECTED, source)) {
            try {
                documents.add(
                        Document.of(each.value(), source + ":" + each.location().line()));
            } catch (DocumentFormatException e) {
                throw new DocumentFormatException(e.problems(documents.size() + 1).stream()
                        .map(each::locate)
                        .toList());
            }
        }
        return documents;
    }

    /** Creates a change that replaces all documents of a bucket. */
    public static NewChange bucketPut(String workspace, String id, String bucket, List<Document> documents) {
        List<MapValue> trees = documents.stream().map(Document::tree).toList();
        boolean hasOrigins =
                documents.stream().anyMatch(document -> document.origin().isPresent());
        List<String> origins = !hasOrigins
                ? List.of()
                : documents.stream()
                        .map(document -> document.origin().orElse(""))
                        .toList();
        return ofBucket(workspace, id, ChangeType.BUCKET_PUT, bucket, trees, origins);
    }

    /**
     * Creates a change that replaces all documents of a bucket. Seals those with {@code storagePolicy: encrypted}.
     *
     * @param key such as {@code PublishingKey::seal} of {@code dev.strake.serdes.keyset}
     */
    public static NewChange bucketPut(
            String workspace, String id, String bucket, List<Document> documents, SealedData.Seal key) {
        List<Document> sealed = documents.stream()
                .map(document -> Document.ofValid(
                        SealedData.forService(document.tree(), workspace, key),
                        document.origin().orElse(null)))
                .toList();
        return bucketPut(workspace, id, bucket, sealed);
    }

    /** Creates a change that restores the documents of an earlier revision. */
    public static NewChange rollback(String workspace, String id, long revision) {
        byte[] body = JsonBytes.of(MapValue.of("revision", Num.of(revision)));
        return new NewChange(workspace, id, ChangeType.ROLLBACK, null, List.of(body));
    }

    /**
     * Creates a change that tags a revision. A tagged revision is never pruned.
     *
     * @param data arbitrary data to keep with the tag
     */
    public static NewChange tag(String workspace, String id, long revision, String tag, MapValue data) {
        MapValue body = MapValue.builder()
                .put("revision", Num.of(revision))
                .put("tag", new Text(tag))
                .put("data", data)
                .build();
        return new NewChange(workspace, id, ChangeType.TAG, null, List.of(JsonBytes.of(body)));
    }

    /** Creates a change that removes a tag. */
    public static NewChange untag(String workspace, String id, long revision, String tag) {
        MapValue body = MapValue.of("revision", Num.of(revision)).with("tag", new Text(tag));
        return new NewChange(workspace, id, ChangeType.UNTAG, null, List.of(JsonBytes.of(body)));
    }

    /**
     * Creates a change that adds the result of a validation to a revision.
     *
     * @param name the name of the validation
     * @param result {@code status}, {@code validator} and optionally {@code errors}
     */
    public static NewChange validation(String workspace, String id, long revision, String name, MapValue result) {
        MapValue body = result.with("revision", Num.of(revision)).with("name", new Text(name));
        return new NewChange(workspace, id, ChangeType.VALIDATION_PUT, null, List.of(JsonBytes.of(body)));
    }

    /** Creates a change that deletes a workspace. */
    public static NewChange workspaceDelete(String workspace, String id) {
        return new NewChange(workspace, id, ChangeType.WORKSPACE_DELETE, null, List.of(new byte[0]));
    }

    /** Creates the records of this change. */
    public List<ProducerRecord<byte[], byte[]>> records(String topic) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        String time = Instant.now().toString();
        for (int i = 0; i < parts().size(); i++) {
            // No explicit partition: the contract prescribes the producer's default partitioning of keys.
            ProducerRecord<byte[], byte[]> message =
                    new ProducerRecord<>(topic, workspace.getBytes(StandardCharsets.UTF_8), parts().get(i));
            Headers headers = message.headers();
            add(headers, HeaderNames.CE_ID, id);
            add(headers, HeaderNames.CE_TYPE, type.text());
            add(headers, HeaderNames.CE_TIME, time);
            add(headers, HeaderNames.CONTENT_TYPE, body.contentType());
            add(headers, HeaderNames.BUCKET, bucket);
            add(headers, HeaderNames.DRY_RUN, terms.dryRun() ? "true" : null);
            Long expected = terms.expectedRevision();
            add(headers, HeaderNames.EXPECTED_REVISION, expected == null ? null : expected.toString());
            RemovalLimit removals = terms.removals();
            add(headers, HeaderNames.MAX_REMOVALS, removals.equals(RemovalLimit.NONE) ? null : removals.toString());
            add(headers, HeaderNames.AS_DECKHAND, terms.asDeckhand() ? "true" : null);
            add(headers, HeaderNames.AUTHOR, note.author());
            add(headers, HeaderNames.MESSAGE, note.message());
            if (!body.origins().isEmpty()) {
                headers.add(HeaderNames.ORIGINS, body.origins().get(i));
            }
            if (parts().size() > 1) {
                add(headers, HeaderNames.PART, (i + 1) + "/" + parts().size());
            }
            records.add(message);
        }
        return records;
    }
}
