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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** Sends to one workspace what an author might. */
final class RandomPublisher {

    /** A member of data that means nothing. */
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
     * @param rollback the revision that it goes back to; null if it is no rollback
     * @param origins of its documents, in their order; empty if it does not say
     * @param removals how many documents it may remove; null if it does not say
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

        /** With a limit of what it may remove; authors who name what goes set one, too. */
        Sent limited(String most) {
            return new Sent(value, type, bucket, id, rollback, origins, most);
        }

        /** Authors keep few secrets. Here a third of the documents that they put are some. */
        Sent withMoreSecrets(RandomGenerator random) {
            if (value == null) {
                return this;
            }
            String more = CLEARTEXT
                    .matcher(value)
                    .replaceAll(found -> random.nextInt(3) == 0 ? "\"storagePolicy\":\"encrypted\"" : found.group());
            return with(more);
        }

        /** With a token in the data of each document that is to be encrypted, and in no other one. */
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

        /** The places of the documents that it puts, from 0. */
        Map<DocumentId, Integer> places() {
            Map<DocumentId, Integer> places = new HashMap<>();
            if (type.endsWith(".put")) {
                ((ListValue) Json.value(value))
                        .items()
                        .forEach(each -> places.putIfAbsent(RandomPublisher.id(each), places.size()));
            }
            return places;
        }

        /** Its headers beside its id and the places of its documents, and more: a third of all buckets are put as Deckhand does. */
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
        return new String(JsonBytes.of(ListValue.of(List.copyOf(list))), StandardCharsets.UTF_8);
    }

    /**
     * The next change, fit for the state that a workspace is in.
     *
     * @param last the last outcome with a revision; null before the first
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

    /* Two of three publishers say where they keep their documents. */
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

    /** A result of a validation, which differs from all others. */
    Sent result(long revision) {
        String body = "{revision: %d, name: v%d-validation, status: %s, validator: {name: robot, run: %d}}"
                .formatted(revision, random.nextInt(3), random.nextBoolean() ? "success" : "failure", sent);
        return send("validation.put", body, "x");
    }

    private String nextId() {
        return workspace + "-" + sent++;
    }

    /** A change of any type. */
    Sent send(String type, String value, String bucket) {
        return new Sent(value, type, bucket, nextId());
    }
}
