package dev.strake.remote.apply.kubernetes;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Hasher;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.ObjectIdentity;
import dev.strake.remote.object.Reconcile;
import java.io.IOException;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The objects that an applier applied, and what happens to each once its document is gone. The inventory is a ConfigMap
 * in the cluster. It names an object before the object is created, so that no object is lost after a crash.
 *
 * <pre>
 *  data:
 *    workspace: site-a
 *    objects: |                     one line for each object, in order
 *      ["true","Deployment.apps/shop/web","apps","Deployment","shop","web","kubernetes/Object/v1","Deployment.apps/shop/web",""]
 *       reconcile                   group, kind, namespace, name              document                                     user
 * </pre>
 */
final class Inventory {

    private static final int HASH_DIGITS = 8;
    private static final int MOST_BYTES = 1_000_000;
    private static final String DATA = "data";

    private final ApiServer server;
    private final String collection;
    private final String name;
    private final String workspace;
    private String resourceVersion = "";
    private SortedMap<ObjectIdentity, Entry> entries = new TreeMap<>();

    /**
     * The entry of an object.
     *
     * @param document the document that the object comes from
     * @param user the user that was impersonated; null if there was none
     */
    record Entry(Reconcile reconcile, DocumentKey document, String user) {}

    Inventory(ApiServer server, String namespace, String workspace) {
        this.server = server;
        this.workspace = workspace;
        this.collection = "/api/v1/namespaces/" + namespace + "/configmaps";
        String lower = workspace.toLowerCase(Locale.ROOT).replace('_', '-');
        boolean isName = lower.equals(workspace) && lower.matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");
        this.name = "strake-"
                + (isName
                        ? workspace
                        : lower.replaceAll("[^a-z0-9]+", "-") + "x"
                                + Hasher.hex(workspace).substring(0, HASH_DIGITS));
    }

    /** Returns the path of the ConfigMap, which also identifies the owner of the objects. */
    String path() {
        return collection + "/" + name;
    }

    SortedMap<ObjectIdentity, Entry> entries() {
        return Collections.unmodifiableSortedMap(entries);
    }

    /** Reads the ConfigMap from the cluster. */
    void read() throws IOException {
        try {
            MapValue map = server.get(path(), null).orElse(MapValue.EMPTY);
            resourceVersion = new Live(map).version();
            SortedMap<ObjectIdentity, Entry> read = new TreeMap<>();
            if (map.get(DATA) instanceof MapValue data) {
                if (!workspace.equals(data.text("workspace"))) {
                    throw new IOException("%s belongs to another workspace, or to nobody".formatted(path()));
                }
                for (String line : data.text("objects").split("\n", -1)) {
                    if (!line.isEmpty()) {
                        read(line, read);
                    }
                }
            }
            entries = read;
        } catch (ApiFailure e) {
            throw new IOException("the list of objects cannot be read from %s: %s".formatted(path(), e.told(false)));
        }
    }

    private void read(String line, SortedMap<ObjectIdentity, Entry> into) throws IOException {
        try {
            ListValue parts = (ListValue) JsonReader.read(line);
            String user = text(parts.get(7));
            into.put(
                    new ObjectIdentity(text(parts.get(1)), text(parts.get(2)), text(parts.get(3)), text(parts.get(4))),
                    new Entry(
                            Reconcile.named(text(parts.get(0))),
                            new DocumentKey(text(parts.get(5)), text(parts.get(6))),
                            user.isEmpty() ? null : user));
        } catch (ClassCastException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException(
                    "%s is damaged, so the owners of the objects are unknown. Restore it; or remove it, and what left the workspace before stays in the cluster."
                            .formatted(path()),
                    e);
        }
    }

    /** Replaces the ConfigMap in the cluster. */
    void write(SortedMap<ObjectIdentity, Entry> next) throws IOException {
        if (next.equals(entries)) {
            return;
        }
        MapValue body = body(next);
        try {
            MapValue kept = resourceVersion.isEmpty()
                    ? server.send("POST", collection, ApiServer.JSON, body, null)
                    : server.send("PUT", path(), ApiServer.JSON, body, null);
            resourceVersion = new Live(kept).version();
            entries = new TreeMap<>(next);
        } catch (ApiFailure e) {
            throw new IOException(
                    e.code() == 409
                            ? "others changed %s; check whether another applier works on this workspace"
                                    .formatted(path())
                            : "the list of objects cannot be kept in %s: %s".formatted(path(), e.told(false)));
        }
    }

    private MapValue body(SortedMap<ObjectIdentity, Entry> next) throws IOException {
        StringBuilder lines = new StringBuilder();
        next.forEach((identity, entry) -> {
            ListValue line = ListValue.of(
                    new Text(entry.reconcile().text()),
                    new Text(identity.group()),
                    new Text(identity.kind()),
                    new Text(identity.namespace()),
                    new Text(identity.name()),
                    new Text(entry.document().schema()),
                    new Text(entry.document().name()),
                    new Text(entry.user() == null ? "" : entry.user()));
            lines.append(JsonBytes.text(line)).append('\n');
        });
        if (lines.length() > MOST_BYTES) {
            throw new IOException(
                    "%d objects are too many for one ConfigMap; split the workspace".formatted(next.size()));
        }
        MapValue.Builder metadata = MapValue.builder().put("name", name);
        if (!resourceVersion.isEmpty()) {
            metadata.put("resourceVersion", resourceVersion);
        }
        return MapValue.builder()
                .put("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put("metadata", metadata.build())
                .put(DATA, MapValue.of("workspace", workspace).with("objects", lines.toString()))
                .build();
    }

    private static String text(Value value) {
        return ((Text) value).value();
    }
}
