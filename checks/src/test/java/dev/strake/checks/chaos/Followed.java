package dev.strake.checks.chaos;

import dev.strake.client.Checkpoint;
import dev.strake.client.RenderedUpdate;
import dev.strake.client.RenderedUpdate.Kind;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.rendered.RenderedHeaders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The log of a follower of a workspace, which uses a {@link dev.strake.client.Subscription} and logs each event
 * immediately, one per line. The follower may be killed at any time, so incomplete lines are ignored:
 *
 * <pre>
 *  {"opened":true} .
 *  {"delivered":"SNAPSHOT","revision":7,"contentHash":"…","rendered":41,"outcomes":12,"put":[["schema","name","sha"]],"removed":[["schema","name"]]} .
 *  {"kept":3} .
 *  {"resumed":3} .
 *  {"failed":"…"} .
 * </pre>
 */
public sealed interface Followed {

    /** The follower started without a checkpoint. */
    record Opened() implements Followed {}

    /** The follower resumed from a checkpoint. */
    record Resumed(int checkpoint) implements Followed {}

    /** The follower saved a checkpoint after the last update, with its documents at that time. */
    record Kept(int checkpoint) implements Followed {}

    /**
     * The subscription delivered an update.
     *
     * @param revision head after the update; 0 if no outcome reported it
     * @param rendered offset of the next record of the topic of rendered documents
     * @param outcomes offset of the next outcome
     * @param put hash of the bytes of each new or changed document
     */
    record Delivered(
            Kind kind,
            long revision,
            String contentHash,
            long rendered,
            long outcomes,
            SortedMap<DocumentKey, String> put,
            SortedSet<DocumentKey> removed)
            implements Followed {}

    /** The subscription failed, which must not happen. */
    record Failed(String how) implements Followed {}

    String END = " .";

    static Delivered of(RenderedUpdate update, Checkpoint behind) {
        SortedMap<DocumentKey, String> put = new TreeMap<>();
        update.put()
                .forEach((key, record) -> put.put(
                        key,
                        RenderedHeaders.contentHash(
                                JsonBytes.of(record.document().orElseThrow()))));
        return new Delivered(
                update.kind(),
                update.revision(),
                update.contentHash(),
                behind.rendered(),
                behind.outcomes(),
                put,
                new TreeSet<>(update.removed()));
    }

    /** The event as a complete line. */
    default byte[] line() {
        String json = JsonBytes.text(json());
        return (json + END + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private MapValue json() {
        if (this instanceof Opened) {
            return MapValue.of("opened", new Text("anew"));
        } else if (this instanceof Resumed resumed) {
            return MapValue.of("resumed", Num.of(resumed.checkpoint()));
        } else if (this instanceof Kept kept) {
            return MapValue.of("kept", Num.of(kept.checkpoint()));
        } else if (this instanceof Failed failed) {
            return MapValue.of("failed", new Text(failed.how()));
        }
        Delivered delivered = (Delivered) this;
        List<Value> put = new ArrayList<>();
        delivered
                .put()
                .forEach((key, hash) ->
                        put.add(ListValue.of(new Text(key.schema()), new Text(key.name()), new Text(hash))));
        List<Value> removed = new ArrayList<>();
        delivered.removed().forEach(key -> removed.add(ListValue.of(new Text(key.schema()), new Text(key.name()))));
        return MapValue.builder()
                .put("delivered", new Text(delivered.kind().name()))
                .put("revision", Num.of(delivered.revision()))
                .put("contentHash", new Text(delivered.contentHash()))
                .put("rendered", Num.of(delivered.rendered()))
                .put("outcomes", Num.of(delivered.outcomes()))
                .put("put", ListValue.of(put))
                .put("removed", ListValue.of(removed))
                .build();
    }

    /** Reads the log of a workspace, without incomplete lines. */
    static List<Followed> read(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                .filter(line -> line.endsWith(END))
                .map(line -> of((MapValue) JsonReader.read(line.substring(0, line.length() - END.length()))))
                .toList();
    }

    private static Followed of(MapValue json) {
        return switch (json.keyAt(0)) {
            case "opened" -> new Opened();
            case "resumed" -> new Resumed((int) number(json, "resumed"));
            case "kept" -> new Kept((int) number(json, "kept"));
            case "failed" -> new Failed(text(json.get("failed")));
            default -> delivered(json);
        };
    }

    private static Delivered delivered(MapValue json) {
        SortedMap<DocumentKey, String> put = new TreeMap<>();
        for (Value each : ((ListValue) json.get("put")).items()) {
            put.put(key((ListValue) each), text(((ListValue) each).get(2)));
        }
        SortedSet<DocumentKey> removed = new TreeSet<>();
        for (Value each : ((ListValue) json.get("removed")).items()) {
            removed.add(key((ListValue) each));
        }
        return new Delivered(
                Kind.valueOf(text(json.get("delivered"))),
                number(json, "revision"),
                text(json.get("contentHash")),
                number(json, "rendered"),
                number(json, "outcomes"),
                put,
                removed);
    }

    private static DocumentKey key(ListValue names) {
        return new DocumentKey(text(names.get(0)), text(names.get(1)));
    }

    private static String text(Value value) {
        return ((Text) value).value();
    }

    private static long number(MapValue json, String name) {
        return ((Num) json.get(name)).decimal().longValueExact();
    }
}
