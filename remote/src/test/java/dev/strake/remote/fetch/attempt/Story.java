package dev.strake.remote.fetch.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.client.NewChange;
import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.fetch.SecretsOfFetcher;
import dev.strake.remote.fetch.policy.FetchException;
import dev.strake.remote.fetch.policy.FetchPolicy;
import dev.strake.remote.fetch.policy.Network;
import dev.strake.remote.fetch.resource.ReferencedValues;
import dev.strake.remote.fetch.resource.RemoteResource;
import dev.strake.remote.fetch.resource.RemoteResourceReader;
import dev.strake.remote.fetch.source.ContentSource;
import dev.strake.remote.fetch.source.HttpSource;
import dev.strake.remote.fetch.source.UrlSource;
import dev.strake.remote.object.ObjectDocument;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.serdes.rendered.SecretHeaders;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Consecutive attempts, with a bucket that applies changes like the pipeline. */
public final class Story implements AutoCloseable {

    public static final FetchPolicy LOOPBACK =
            new FetchPolicy(List.of(), List.of(Network.of("127.0.0.0/8")), List.of(), 1 << 20, Duration.ofMinutes(1));

    public final HttpSource http;
    public final Map<RemoteResource.Backend, ContentSource> sources = new EnumMap<>(RemoteResource.Backend.class);
    public final List<NewChange> changes = new ArrayList<>();
    public final NavigableMap<DocumentId, MapValue> bucket = new TreeMap<>();
    public final Map<DocumentKey, RenderedRecord> documents = new HashMap<>();
    public final Set<DocumentId> elsewhere = new HashSet<>();
    public final FetchPolicy policy;
    private final Set<String> applied = new HashSet<>();
    private String resource;
    private Optional<Memory> memory = Optional.empty();
    private boolean forgets;
    private SecretsOfFetcher secrets = SecretsOfFetcher.NONE;

    public Story(FetchPolicy policy) {
        this.policy = policy;
        this.http = new HttpSource(policy);
        sources.put(RemoteResource.Backend.GENERIC, new UrlSource(http));
    }

    /** Sets the data of the resource; the values replace each {} in order. */
    public Story resource(String yaml, String... values) {
        resource = yaml;
        for (String value : values) {
            int place = resource.indexOf("{}");
            resource = resource.substring(0, place) + value + resource.substring(place + 2);
        }
        return this;
    }

    /** The next attempt does not store its state, like a process killed after publishing. */
    public Story killedAfterPublishing() {
        forgets = true;
        return this;
    }

    /** Gives keys to the fetcher. */
    public Story with(SecretsOfFetcher others) {
        secrets = others;
        return this;
    }

    public Story document(String schema, String name, String yaml) {
        DocumentKey key = new DocumentKey(schema, name);
        documents.put(key, record(key, yaml));
        return this;
    }

    /** Adds a document that is published encrypted at some paths of its data. */
    public Story encryptedDocument(String schema, String name, List<String> paths, String yaml) {
        DocumentKey key = new DocumentKey(schema, name);
        documents.put(key, record(key, MapValue.EMPTY, yaml, new SecretHeaders(paths, "encrypted")));
        return this;
    }

    public static RenderedRecord record(DocumentKey key, String yaml) {
        return record(key, MapValue.EMPTY, yaml);
    }

    public static RenderedRecord record(DocumentKey key, MapValue labels, String yaml) {
        return record(key, labels, yaml, SecretHeaders.NONE);
    }

    private static RenderedRecord record(DocumentKey key, MapValue labels, String yaml, SecretHeaders secrets) {
        try {
            Value data = new DocumentReader(Limits.DEFAULT)
                    .readTrees(yaml.getBytes(StandardCharsets.UTF_8), TextFormat.YAML, "test")
                    .get(0)
                    .value();
            MapValue document = MapValue.builder()
                    .put("schema", new dev.strake.engine.tree.Text(key.schema()))
                    .put("metadata", MapValue.of("labels", labels))
                    .put("data", data)
                    .build();
            return new RenderedRecord(
                    new RenderedKey("ws", key),
                    Optional.of(document),
                    new RenderedHeaders(
                            1, "site", "default", null, new RenderedHeaders.Cause("c", "s", "t", null, null), secrets));
        } catch (UnreadableTextException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public RemoteResource read() throws FetchException {
        return RemoteResourceReader.read(record(new DocumentKey(ObjectDocument.REMOTE_RESOURCE, "app"), resource));
    }

    /** Makes one attempt, with responses no older than now. */
    public Status attempt() throws FetchException {
        return attempt(System.nanoTime());
    }

    public Status attempt(Status.State expected) throws FetchException {
        Status status = attempt();
        assertThat(status.state()).as(status.message()).isEqualTo(expected);
        return status;
    }

    public Status attempt(long since) throws FetchException {
        Attempt attempt = new Attempt(
                read(),
                memory,
                sources,
                new ReferencedValues(
                        key -> Optional.ofNullable(documents.get(key)).map(secrets::opened)),
                new ChangeSink() {
                    @Override
                    public Outcome publish(NewChange change) {
                        return Story.this.publish(change);
                    }

                    @Override
                    public MapValue sealed(MapValue document) {
                        return secrets.sealed(document, "ws");
                    }
                },
                policy.maxBytes(),
                since);
        Attempt.Result result = attempt.run();
        memory = forgets ? memory : result.memory().map(each -> Memory.read(each.write()));
        forgets = false;
        return result.status();
    }

    public Optional<Memory> memory() {
        return memory;
    }

    public Outcome publish(NewChange change) {
        changes.add(change);
        Map<DocumentId, MapValue> documents = new TreeMap<>();
        for (byte[] part : change.parts()) {
            for (Value each : ((ListValue) JsonReader.read(part)).items()) {
                if (change.type() == ChangeType.DOCUMENTS_DELETE) {
                    bucket.remove(identity((MapValue) each));
                    continue;
                }
                documents.put(Document.ofValid((MapValue) each).id(), (MapValue) each);
            }
        }
        if (applied.contains(change.id())) {
            return outcome(change, OutcomeStatus.DUPLICATE, List.of());
        }
        Optional<DocumentId> taken =
                documents.keySet().stream().filter(elsewhere::contains).findFirst();
        if (taken.isPresent()) {
            return rejected(change, ProblemCode.DUPLICATE_DOCUMENT_EXISTS, taken.get());
        }
        NavigableMap<DocumentId, MapValue> after = new TreeMap<>(documents);
        if (change.type() != ChangeType.BUCKET_PUT) {
            bucket.forEach((id, document) -> after.computeIfAbsent(id, each -> document));
        }
        long removed =
                bucket.keySet().stream().filter(id -> !after.containsKey(id)).count();
        if (removed > change.terms().removals().of(bucket.size())) {
            return rejected(change, ProblemCode.TOO_MANY_REMOVALS, null);
        }
        applied.add(change.id());
        boolean isSame = after.equals(bucket);
        bucket.clear();
        bucket.putAll(after);
        return outcome(change, isSame ? OutcomeStatus.UNCHANGED : OutcomeStatus.RENDERED, List.of());
    }

    private static DocumentId identity(MapValue item) {
        return new DocumentId(text(item, "schema"), item.has("layer") ? text(item, "layer") : "", text(item, "name"));
    }

    private static String text(MapValue item, String key) {
        return ((dev.strake.engine.tree.Text) item.get(key)).value();
    }

    private static Outcome rejected(NewChange change, ProblemCode code, DocumentId document) {
        return outcome(change, OutcomeStatus.REJECTED, List.of(Problem.of(code, document, "is not possible", null)));
    }

    private static Outcome outcome(NewChange change, OutcomeStatus status, List<Problem> problems) {
        return new Outcome(
                "ws",
                new Outcome.Change(change.id(), "t", change.bucket(), "t-0@0", Carried.NOTHING, change.note()),
                status,
                new Outcome.Result(1L, Outcome.Documents.NONE, Outcome.Work.NONE, new Outcome.Published(1L, 0, "")),
                new Outcome.Findings(problems, List.of()),
                Instant.EPOCH,
                null);
    }

    public List<String> names() {
        return bucket.keySet().stream().map(DocumentId::name).toList();
    }

    /** Returns documents of a source, as YAML. */
    public static String things(String... names) {
        StringBuilder yaml = new StringBuilder();
        for (String name : names) {
            yaml.append(thing(name, ""));
        }
        return yaml.toString();
    }

    public static String thing(String name, String labels) {
        return """
            ---
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: %s
              storagePolicy: cleartext
              labels: {%s}
              layeringDefinition: {abstract: false, layer: site}
            data: {name: %s}
            """.formatted(name, labels, name);
    }

    @Override
    public void close() {
        http.close();
    }
}
