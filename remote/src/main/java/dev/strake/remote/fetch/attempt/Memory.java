package dev.strake.remote.fetch.attempt;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.Reconcile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of a resource that survives a restart: what was published last. Stored as JSON in a compacted topic:
 *
 * <pre>
 *  {"bucket": BUCKET, "published": HASH, "change": ID, "newest": {PLACE: MILLIS},
 *    "documents": [{"schema": …, "layer": …, "name": …, "reconcile": "true"}, …],       documents of the source
 *    "kept": [{"schema": …, "layer": …, "name": …, "reconcile": "confirm"}, …]}         documents kept without it
 * </pre>
 *
 * <p>It contains no data of documents, which may be secret.
 *
 * @param bucket the bucket that the resource owns
 * @param published the hash of the source's documents; {@code add:} and a hash after a change that only added documents
 * @param change the id of the last change
 * @param newest the modification time of the content from each place, in milliseconds
 * @param documents the documents of the source, and what happens to each once the source no longer has it
 * @param kept documents that left the source but stay, without an owner or until their removal is confirmed
 */
public record Memory(
        String bucket,
        String published,
        String change,
        SortedMap<String, Long> newest,
        SortedMap<DocumentId, Reconcile> documents,
        SortedMap<DocumentId, Reconcile> kept) {

    public Memory {
        newest = Collections.unmodifiableSortedMap(new TreeMap<>(newest));
        documents = Collections.unmodifiableSortedMap(new TreeMap<>(documents));
        kept = Collections.unmodifiableSortedMap(new TreeMap<>(kept));
    }

    public byte[] write() {
        MapValue.Builder times = MapValue.builder();
        newest.forEach((place, time) -> times.put(place, time));
        return JsonBytes.of(MapValue.builder()
                .put("bucket", bucket)
                .put("published", published)
                .put("change", change)
                .put("newest", times.build())
                .put("documents", list(documents))
                .put("kept", list(kept))
                .build());
    }

    private static ListValue list(SortedMap<DocumentId, Reconcile> documents) {
        List<Value> list = new ArrayList<>();
        documents.forEach((id, reconcile) -> list.add(MapValue.builder()
                .put("schema", id.schema())
                .put("layer", id.layer())
                .put("name", id.name())
                .put("reconcile", reconcile.text())
                .build()));
        return ListValue.of(list);
    }

    /**
     * Parses a record.
     *
     * @throws IllegalArgumentException if it is invalid
     */
    public static Memory read(byte[] json) {
        try {
            MapValue map = (MapValue) JsonReader.read(json);
            SortedMap<String, Long> newest = new TreeMap<>();
            map.map("newest").forEach((place, time) -> newest.put(place, Long.parseLong(((Num) time).literal())));
            SortedMap<DocumentId, Reconcile> documents = documents(map.items("documents"));
            SortedMap<DocumentId, Reconcile> kept = documents(map.items("kept"));
            kept.keySet().removeAll(documents.keySet());
            return new Memory(map.text("bucket"), map.text("published"), map.text("change"), newest, documents, kept);
        } catch (ClassCastException e) {
            throw new IllegalArgumentException("no memory of a resource", e);
        }
    }

    private static SortedMap<DocumentId, Reconcile> documents(List<Value> list) {
        SortedMap<DocumentId, Reconcile> documents = new TreeMap<>();
        for (Value each : list) {
            MapValue one = (MapValue) each;
            documents.put(
                    new DocumentId(one.text("schema"), one.text("layer"), one.text("name")),
                    Reconcile.valueOf(one.text("reconcile").toUpperCase(Locale.ROOT)));
        }
        return documents;
    }

    @Override
    public String toString() {
        return "Memory[" + bucket + ", " + documents.size() + " documents]";
    }
}
