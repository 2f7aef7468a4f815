package dev.strake.topology;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.property.Change;
import dev.strake.engine.property.RandomChanges;
import dev.strake.engine.property.Story;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.topology.query.WorkspaceQueries;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Sends to one workspace what an author might. */
final class RandomPublisher {

    private final RandomChanges changes;
    private final String workspace;
    private int sent;

    RandomPublisher(RandomGenerator random, String workspace) {
        this.changes = new RandomChanges(random);
        this.workspace = workspace;
    }

    /** A record as a publisher sends it. */
    record Sent(String value, String type, String bucket, String id) {

        Outcome to(TopologyHarness strake, String workspace) {
            return strake.send(workspace, value, "ce_type", "dev.strake." + type, "bucket", bucket, "ce_id", id);
        }
    }

    /**
     * The next change, fit for the state that a workspace is in.
     *
     * @param last the last outcome with a revision; null before the first
     */
    Sent next(TopologyHarness strake, Outcome last) {
        Map<DocumentId, Story.Held> held = new LinkedHashMap<>();
        WorkspaceQueries queries = strake.queries();
        long head = queries.head(workspace);
        queries.documents(workspace, head)
                .forEach(each -> held.put(each.id(), new Story.Held(Document.ofValid(each.tree()), each.bucket())));
        List<DocumentId> causes = queries.problems(workspace, head).stream()
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
        String list = new String(JsonBytes.of(ListValue.of(List.copyOf(change.documents()))), StandardCharsets.UTF_8);
        return switch (change.kind()) {
            case PUT -> send("documents.put", list, change.bucket());
            case BUCKET -> send("bucket.put", list, change.bucket());
            case DELETE -> send("documents.delete", list, change.bucket());
            default -> send("revision.rollback", "{revision: " + Math.max(0, head - change.number()) + "}", "x");
        };
    }

    /** A change of any type. */
    Sent send(String type, String value, String bucket) {
        return new Sent(value, type, bucket, workspace + "-" + sent++);
    }
}
