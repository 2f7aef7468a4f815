package dev.strake.topology;

import dev.strake.engine.Json;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.property.Change;
import dev.strake.engine.property.RandomChanges;
import dev.strake.engine.property.Story;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.topology.query.WorkspaceQueries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** Makes random changes to one workspace, as an author might send them. */
final class RandomPublisher {

    /** The key in the data of a document under which a token is planted. */
    private static final String PLANTED = "planted";

    private static final Pattern CLEARTEXT = Pattern.compile("\"storagePolicy\":\"cleartext\"");

    private final RandomGenerator random;
    private final RandomChanges changes;
    private final String workspace;
    private int sent;

    RandomPublisher(RandomGenerator random, String workspace) {
        this.random = random;
        this.changes = new RandomChanges(random);
        this.workspace = workspace;
    }

    /**
     * A record as a publisher sends it.
     *
     * @param rollback the revision to restore; null if the record is no rollback
     * @param origins the origins of the documents, in their order; empty if the record names none
     * @param removals the limit of removals; null if the record sets none
     */
    record Sent(
            String value,
            String type,
            String bucket,
            String id,
            Long rollback,
            Map<DocumentId, String> origins,
            String removals) {

        Sent(String value, String type, String bucket, String id) {
            this(value, type, bucket, id, null, Map.of(), null);
        }

        Sent with(String other) {
            return new Sent(other, type, bucket, id, rollback, origins, removals);
        }

        /** Sets a limit of removals, also for deletions and rollbacks. */
        Sent limited(String most) {
            return new Sent(value, type, bucket, id, rollback, origins, most);
        }

        /** Encrypts a third of the documents, because random documents have few secrets. */
        Sent withMoreSecrets(RandomGenerator random) {
            if (value == null) {
                return this;
            }
            String more = CLEARTEXT
                    .matcher(value)
                    .replaceAll(found -> random.nextInt(3) == 0 ? "\"storagePolicy\":\"encrypted\"" : found.group());
            return with(more);
        }

        /** Plants a token in the data of each document that is to be encrypted, and in no other document. */
        Sent withTokens(Supplier<String> tokens) {
            if (!type.endsWith(".put")) {
                return this;
            }
            List<Value> documents = new ArrayList<>();
            for (Value each : ((ListValue) Json.value(value)).items()) {
                MapValue document = (MapValue) each;
                if (document.get("data") instanceof MapValue data) {
                    MapValue without = data.without(PLANTED);
                    document = document.with(
                            "data",
                            StoragePolicy.isEncrypted(document)
                                    ? without.with(PLANTED, new Text(tokens.get()))
                                    : without);
                }
                documents.add(document);
            }
            return with(text(documents));
        }

        /** The places of the documents in the change, from 0. */
        Map<DocumentId, Integer> places() {
            Map<DocumentId, Integer> places = new HashMap<>();
            if (type.endsWith(".put")) {
                ((ListValue) Json.value(value))
                        .items()
                        .forEach(each -> places.putIfAbsent(RandomPublisher.id(each), places.size()));
            }
            return places;
        }

        /** The headers except id and origins, plus the given ones. A third of all buckets are put as Deckhand does. */
        String[] headers(String... more) {
            List<String> headers = new ArrayList<>(List.of("ce_type", "dev.strake." + type, "bucket", bucket));
            if (type.equals("bucket.put") && Math.floorMod(id.hashCode(), 3) == 0) {
                headers.addAll(List.of("as-deckhand", "true"));
            }
            if (removals != null) {
                headers.addAll(List.of("max-removals", removals));
            }
            headers.addAll(List.of(more));
            return headers.toArray(String[]::new);
        }

        Outcome to(TopologyHarness strake, String workspace) {
            List<String> headers = new ArrayList<>(List.of(headers("ce_id", id)));
            if (!origins.isEmpty()) {
                List<Text> texts = origins.values().stream().map(Text::new).toList();
                headers.addAll(List.of("origins", text(texts)));
            }
            return strake.send(workspace, value, headers.toArray(String[]::new));
        }
    }

    private static String text(List<? extends Value> list) {
        return JsonBytes.text(ListValue.of(List.copyOf(list)));
    }

    /**
     * Returns the next change, which suits the state of the workspace.
     *
     * @param last the last outcome with a revision; null before the first one
     */
    Sent next(TopologyHarness strake, Outcome last) {
        Map<DocumentId, Story.Held> held = new LinkedHashMap<>();
        WorkspaceQueries queries = strake.queries();
        long head = queries.history().lastRevision(workspace);
        Whole.documents(queries, workspace, head)
                .forEach(each ->
                        held.put(each.id(), new Story.Held(Document.ofValid(each.tree()), each.bucket(), 0, 0)));
        List<DocumentId> causes = Whole.problems(queries, workspace, head).stream()
                .filter(problem ->
                        problem.document() != null && problem.related().isEmpty())
                .map(Problem::document)
                .toList();
        long whole = last == null || last.published().revision() == null
                ? 0
                : last.published().revision();
        Change change;
        do {
            change = changes.next(new Story.State(held), causes, (int) (head - whole));
        } while (change.kind() == Change.Kind.RESTART || change.kind() == Change.Kind.LIMITS);
        return switch (change.kind()) {
            case PUT -> put("documents.put", change);
            case BUCKET -> put("bucket.put", change);
            case DELETE -> send("documents.delete", text(change.documents()), change.bucket());
            default -> {
                long back = Math.max(0, head - change.number());
                String body = "{revision: " + back + "}";
                yield new Sent(body, "revision.rollback", "x", nextId(), back, Map.of(), null);
            }
        };
    }

    /* Two thirds of the changes name the origins of their documents. */
    private Sent put(String type, Change change) {
        Map<DocumentId, String> origins = new LinkedHashMap<>();
        if (random.nextInt(3) > 0) {
            for (Value tree : change.documents()) {
                origins.put(id(tree), "sites/" + workspace + ".yaml:" + random.nextInt(1, 1_000));
            }
        }
        boolean allDiffer = origins.size() == change.documents().size();
        return new Sent(
                text(change.documents()), type, change.bucket(), nextId(), null, allDiffer ? origins : Map.of(), null);
    }

    private static DocumentId id(Value tree) {
        return Document.ofValid((MapValue) tree).id();
    }

    /** A unique result of a validation. */
    Sent result(long revision) {
        String body = "{revision: %d, name: v%d-validation, status: %s, validator: {name: robot, run: %d}}"
                .formatted(revision, random.nextInt(3), random.nextBoolean() ? "success" : "failure", sent);
        return send("validation.put", body, "x");
    }

    private String nextId() {
        return workspace + "-" + sent++;
    }

    Sent send(String type, String value, String bucket) {
        return new Sent(value, type, bucket, nextId());
    }
}
