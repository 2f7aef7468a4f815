package dev.strake.remote.apply;

import dev.strake.client.Checkpoint;
import dev.strake.client.RenderedUpdate;
import dev.strake.client.RenderedUpdate.Kind;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.serdes.rendered.SecretHeaders;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The rendered documents of a workspace, as updates of a subscription. */
public final class Workspace {

    public static final String NAME = "site-a";
    public static final Checkpoint ANYWHERE = new Checkpoint(NAME, 0, 0, new TreeMap<>());
    public static final Instant TIME = Instant.parse("2026-01-31T12:00:00Z");

    private final SortedMap<DocumentKey, RenderedRecord> documents = new TreeMap<>();
    private SortedMap<DocumentKey, RenderedRecord> put = new TreeMap<>();
    private Set<DocumentKey> removed = new TreeSet<>();
    private long revision;
    private boolean secret;
    private String bucket = "default";
    private String secretData;
    private List<String> secretPaths = List.of("");

    /** Marks the next document as secret. */
    public Workspace secret() {
        secret = true;
        return this;
    }

    /** Marks the next document as secret, with redacted or encrypted data: all of it, or at some paths. */
    public Workspace secret(String data, String... paths) {
        secretData = data;
        secretPaths = paths.length == 0 ? secretPaths : List.of(paths);
        return secret();
    }

    public Workspace put(String name, String json) {
        return put("example/Thing/v1", name, json);
    }

    public Workspace put(String schema, String name, String json) {
        DocumentKey key = new DocumentKey(schema, name);
        MapValue document = (MapValue) JsonReader.read("""
                    {"schema":"%s","metadata":{"name":"%s"},"data":%s}\
                    """.formatted(schema, name, json));
        RenderedRecord record = new RenderedRecord(
                new RenderedKey(NAME, key),
                Optional.of(document),
                new RenderedHeaders(
                        revision + 1,
                        "site",
                        bucket,
                        null,
                        new RenderedHeaders.Cause("c", "s", "t", null, null),
                        secret ? new SecretHeaders(secretPaths, secretData) : SecretHeaders.NONE));
        secret = false;
        secretData = null;
        secretPaths = List.of("");
        documents.put(key, record);
        put.put(key, record);
        return this;
    }

    public Workspace remove(String name) {
        DocumentKey key = new DocumentKey("example/Thing/v1", name);
        documents.remove(key);
        removed.add(key);
        return this;
    }

    /** Adds a document with an object as its data. Schema and name are those of the object in the cluster. */
    public Workspace object(String name, String json) {
        return put("kubernetes/Object/v1", name, json.replace('\'', '"'));
    }

    /** Sets the bucket of the next documents. */
    public Workspace bucket(String name) {
        bucket = name;
        return this;
    }

    public Workspace removeObject(String name) {
        DocumentKey key = new DocumentKey("kubernetes/Object/v1", name);
        documents.remove(key);
        removed.add(key);
        return this;
    }

    /** Returns the changes since the last revision. */
    public RenderedUpdate revision() {
        return revision(Note.NONE);
    }

    public RenderedUpdate revision(Note note) {
        revision++;
        RenderedUpdate update = new RenderedUpdate(Kind.REVISION, put, removed, "", outcome(note));
        put = new TreeMap<>();
        removed = new TreeSet<>();
        return update;
    }

    /** Returns all documents, as after a start. */
    public RenderedUpdate whole() {
        revision += put.isEmpty() && removed.isEmpty() ? 0 : 1;
        put = new TreeMap<>();
        removed = new TreeSet<>();
        return new RenderedUpdate(Kind.SNAPSHOT, documents, Set.of(), "", outcome(Note.NONE));
    }

    /** Returns all documents after a failed revision, which left the set unchanged. */
    public RenderedUpdate wholeAfterAFailure(Note note, Long published) {
        Outcome last = outcome(note).orElseThrow();
        Outcome failed = new Outcome(
                NAME,
                last.change(),
                OutcomeStatus.FAILED,
                new Outcome.Result(
                        revision + 1,
                        Outcome.Documents.NONE,
                        Outcome.Work.NONE,
                        new Outcome.Published(published, documents.size(), "")),
                last.findings(),
                TIME,
                null);
        return new RenderedUpdate(Kind.SNAPSHOT, documents, Set.of(), "", Optional.of(failed));
    }

    /** Returns all documents of the topic, without an outcome that confirms them. */
    public RenderedUpdate unchecked() {
        return new RenderedUpdate(Kind.SNAPSHOT, documents, Set.of(), "", Optional.empty());
    }

    private Optional<Outcome> outcome(Note note) {
        return Optional.of(new Outcome(
                NAME,
                new Outcome.Change("change-" + revision, "dev.strake.bucket.put", "b", "t-0@0", Carried.NOTHING, note),
                OutcomeStatus.RENDERED,
                new Outcome.Result(
                        revision,
                        Outcome.Documents.NONE,
                        Outcome.Work.NONE,
                        new Outcome.Published(revision, documents.size(), "")),
                new Outcome.Findings(List.of(), List.of()),
                TIME,
                null));
    }

    /** The shortest files: only the data of a document, as JSON. */
    static FileForm form(FileContents contents, boolean withSecrets) {
        return new FileForm(contents, "json", value -> JsonBytes.text(value) + "\n", withSecrets);
    }
}
