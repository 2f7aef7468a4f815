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
 * What differs between two states of a workspace, as JSON:
 *
 * <pre>{@code
 * {"documents": [{"schema", "layer", "name", "difference": "created" | "modified" | "deleted",
 *                 "changes"?: [{"path", "before", "after"}, ...]}, ...],
 *  "rendered": [{"schema", "name", "difference", "changes"?: [...], "problem"?}, ...],
 *  "complete": whether no changes were left out}
 * }</pre>
 *
 * <p>A rendered document has a {@code problem} if its document is there, and could not be rendered: in the second state where it
 * differs as deleted, in the first where it differs as created. Then no changes are listed.
 *
 * <p>What was not there has no {@code before}, what is there no more has no {@code after}. Where there are too many
 * changes, those of the last documents are left out.
 */
public final class DifferencesJson {

    private final Redaction redaction;
    private final long mostBytes;
    private final List<Value> documents = new ArrayList<>();
    private final List<Value> rendered = new ArrayList<>();
    private long bytes;

    /**
     * @param redaction how secrets are shown in what is added
     * @param mostBytes how much the changes may take together, measured as JSON
     */
    public DifferencesJson(Redaction redaction, long mostBytes) {
        this.redaction = redaction;
        this.mostBytes = mostBytes;
    }

    /** Whether there is no room for more changes, so that nobody needs to read what documents hold. */
    public boolean isFull() {
        return bytes > mostBytes;
    }

    /**
     * Adds a document as published, if it differs.
     *
     * @param before null if it was not there
     * @param after null if it is not there any more
     */
    public void document(DocumentId id, Value before, Value after) {
        add(documents, ProblemJson.write(id), before, after);
    }

    /** Adds a rendered document, if it differs. */
    public void rendered(DocumentKey key, Value before, Value after) {
        add(rendered, name(key), before, after);
    }

    /** Adds a document as published that differs in some way. */
    public void document(DocumentId id, String difference) {
        documents.add(ProblemJson.write(id).with("difference", new Text(difference)));
    }

    /** Adds a rendered document that differs in some way. */
    public void rendered(DocumentKey key, String difference) {
        rendered.add(name(key).with("difference", new Text(difference)));
    }

    /** Adds a rendered document that one of the two lacks because of a problem. */
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

    /** What was added, as members of an object. */
    public MapValue in(MapValue what) {
        return what.with("documents", ListValue.of(documents))
                .with("rendered", ListValue.of(rendered))
                .with("complete", Bool.of(!isFull()));
    }
}
