package dev.strake.engine.property;

import dev.strake.engine.Json;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One step in the life of a workspace, independent of other steps: it stays the same if earlier steps are removed. It
 * has a notation of one line, so a list of changes is a story that can be pasted into a test:
 *
 * <pre>
 *   put BUCKET [document, …]       documents added or replaced
 *   bucket BUCKET [document, …]    all documents of the bucket
 *   delete BUCKET [document, …]    documents removed; their data does not matter
 *   back N                         the documents as they were N revisions ago
 *   restart                        the workspace closed and opened again
 *   limits N                       from now on at most N bytes of a rendered document
 * </pre>
 *
 * @param number a number of revisions, or of bytes; 0 if the kind needs none
 */
public record Change(Kind kind, String bucket, List<MapValue> documents, int number) {

    public enum Kind {
        PUT,
        BUCKET,
        DELETE,
        BACK,
        RESTART,
        LIMITS
    }

    static final Change RESTART = new Change(Kind.RESTART, "", List.of(), 0);

    static Change put(String bucket, List<MapValue> documents) {
        return new Change(Kind.PUT, bucket, List.copyOf(documents), 0);
    }

    static Change bucket(String bucket, List<MapValue> documents) {
        return new Change(Kind.BUCKET, bucket, List.copyOf(documents), 0);
    }

    static Change delete(String bucket, List<DocumentId> ids) {
        List<MapValue> named = ids.stream()
                .map(id -> MapValue.builder()
                        .put("schema", new Text(id.schema()))
                        .put("layer", new Text(id.layer()))
                        .put("name", new Text(id.name()))
                        .build())
                .toList();
        return new Change(Kind.DELETE, bucket, named, 0);
    }

    static Change back(int revisions) {
        return new Change(Kind.BACK, "", List.of(), revisions);
    }

    static Change limits(int bytes) {
        return new Change(Kind.LIMITS, "", List.of(), bytes);
    }

    /** Returns this change without one of its documents. */
    Change without(int position) {
        List<MapValue> fewer = new ArrayList<>(documents);
        fewer.remove(position);
        return new Change(kind, bucket, fewer, number);
    }

    /** Returns this change with one document replaced. */
    Change with(int position, MapValue document) {
        List<MapValue> others = new ArrayList<>(documents);
        others.set(position, document);
        return new Change(kind, bucket, others, number);
    }

    /** The documents to delete. */
    public List<DocumentId> ids() {
        return documents.stream()
                .map(named -> new DocumentId(text(named, "schema"), text(named, "layer"), text(named, "name")))
                .toList();
    }

    private static String text(MapValue map, String key) {
        return ((Text) map.get(key)).value();
    }

    /** Parses a story, one change on each line. */
    static List<Change> story(String lines) {
        return lines.lines().filter(line -> !line.isBlank()).map(Change::parse).toList();
    }

    private static Change parse(String line) {
        String[] parts = line.strip().split(" ", 3);
        Kind kind = Kind.valueOf(parts[0].toUpperCase(Locale.ROOT));
        return switch (kind) {
            case RESTART -> RESTART;
            case BACK -> back(Integer.parseInt(parts[1]));
            case LIMITS -> limits(Integer.parseInt(parts[1]));
            default -> new Change(kind, parts[1], maps(Json.value(parts[2])), 0);
        };
    }

    private static List<MapValue> maps(Value list) {
        return ((ListValue) list).items().stream().map(MapValue.class::cast).toList();
    }

    @Override
    public String toString() {
        String name = kind.name().toLowerCase(Locale.ROOT);
        return switch (kind) {
            case RESTART -> name;
            case BACK, LIMITS -> name + " " + number;
            default ->
                name + " " + bucket + " "
                        + documents.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
        };
    }
}
