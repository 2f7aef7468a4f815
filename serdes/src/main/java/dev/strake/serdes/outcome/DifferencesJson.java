package dev.strake.serdes.outcome;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.PlaceChange;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * The differences between two states of a workspace, as JSON:
 *
 * <pre>{@code
 * {"documents": [{"schema", "layer", "name", "difference": "created" | "modified" | "deleted",
 *                 "changes"?: [{"path", "before", "after"}, ...]}, ...],
 *  "rendered": [{"schema", "name", "difference", "changes"?: [...], "problem"?}, ...],
 *  "complete": whether no changes were left out}
 * }</pre>
 *
 * <p>A rendered document has a {@code problem} if its document exists but could not be rendered: in the second state if
 * the difference is {@code deleted}, in the first if it is {@code created}. Then no changes are listed.
 *
 * <p>An added value has no {@code before}, a removed value no {@code after}. If the changes exceed the limit, the
 * changes of the last documents are left out.
 */
public final class DifferencesJson {

    private final Redaction redaction;
    private final long mostBytes;
    private final List<Value> documents = new ArrayList<>();
    private final List<Value> rendered = new ArrayList<>();
    private long bytes;

    /**
     * @param redaction how secrets are shown in the differences
     * @param mostBytes the size limit of all changes together, measured as JSON
     */
    public DifferencesJson(Redaction redaction, long mostBytes) {
        this.redaction = redaction;
        this.mostBytes = mostBytes;
    }

    /** Whether the size limit is exceeded, so that callers need not read further documents. */
    public boolean isFull() {
        return bytes > mostBytes;
    }

    /**
     * Adds a document as published, if it differs.
     *
     * @param before null if the first state does not have the document
     * @param after null if the second state does not have the document
     */
    public void document(DocumentId id, Value before, Value after) {
        add(documents, ProblemJson.write(id), before, after);
    }

    /** Adds a rendered document, if it differs. */
    public void rendered(DocumentKey key, Value before, Value after) {
        add(rendered, name(key), before, after);
    }

    /** Adds a document as published, with the kind of its difference. */
    public void document(DocumentId id, String difference) {
        documents.add(ProblemJson.write(id).with("difference", new Text(difference)));
    }

    /** Adds a rendered document, with the kind of its difference. */
    public void rendered(DocumentKey key, String difference) {
        rendered.add(name(key).with("difference", new Text(difference)));
    }

    /** Adds a rendered document that is missing from one of the two states because of a problem. */
    public void unrendered(DocumentKey key, String difference, Problem problem) {
        Value why = ProblemJson.write(problem);
        bytes += why.weight();
        rendered.add(name(key).with("difference", new Text(difference)).with("problem", why));
    }

    private void add(List<Value> list, MapValue name, Value before, Value after) {
        List<PlaceChange> changes = redaction.changes(before, after);
        if (changes.isEmpty()) {
            return;
        }
        for (PlaceChange each : changes) {
            bytes += each.weight();
        }
        String difference = before == null ? "created" : after == null ? "deleted" : "modified";
        MapValue json = name.with("difference", new Text(difference));
        list.add(
                isFull()
                        ? json
                        : json.with(
                                "changes",
                                ListValue.of(changes.stream()
                                        .map(PreviewJson::change)
                                        .toList())));
    }

    private static MapValue name(DocumentKey key) {
        return MapValue.of("schema", new Text(key.schema())).with("name", new Text(key.name()));
    }

    /** Returns an object with the differences as members. */
    public MapValue in(MapValue what) {
        return what.with("documents", ListValue.of(documents))
                .with("rendered", ListValue.of(rendered))
                .with("complete", Bool.of(!isFull()));
    }
}
