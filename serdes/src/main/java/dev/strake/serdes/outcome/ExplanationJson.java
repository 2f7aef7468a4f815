package dev.strake.serdes.outcome;

import dev.strake.engine.explain.Cause;
import dev.strake.engine.explain.Explanation;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An explanation as JSON:
 *
 * <pre>{@code
 * {"document": {"schema", "layer", "name"}, "path", "value", "causes": [cause, ...]}
 *
 * cause: {"kind", "won": true | false, "document": {...}, "path", "place": text | null, "revision": number | null, "value"}
 *   and of kind own:           nothing more
 *               parent:        "base": {...}, "from": explanation | null
 *               action:        "number", "method", "actionPath", "dataPath": text | null, "dataPlace": text | null
 *               substitution:  "number", "source": {"schema", "name"}, "sourcePath", "sourcePattern", "matchGroup", "picked",
 *                              "destinationPath", "destinationPattern", "from": explanation | null
 *               operation:     "number", "type", "from": explanation | null
 *               derivation:    "from": explanation | null
 * }</pre>
 *
 * <p>Causes are in the order of evaluation; the last one won. A value is left out if there is no value at the place.
 * Patterns are left out if there are none.
 */
public final class ExplanationJson {

    /** The largest number of nested explanations. A document reached on two paths is written twice. */
    private static final int MOST_NESTED = 1_000;

    private final Whereabouts whereabouts;
    private final Redaction redaction;
    private int nested;

    /** Information about documents beside their content. */
    public interface Whereabouts {

        /** Where the author keeps a path of a document, or at least the document, for example {@code db.yaml:12}. */
        Optional<String> place(DocumentId document, String path);

        /** The revision that last changed the document. */
        Optional<Long> revision(DocumentId document);
    }

    /** @param redaction how secrets are shown */
    public ExplanationJson(Whereabouts whereabouts, Redaction redaction) {
        this.whereabouts = whereabouts;
        this.redaction = redaction;
    }

    /** Returns the JSON of an explanation. Not for concurrent use. */
    public MapValue write(Explanation explanation) {
        nested = 0;
        return writeNested(explanation);
    }

    private MapValue writeNested(Explanation explanation) {
        List<Value> causes = new ArrayList<>();
        for (Cause cause : explanation.causes()) {
            causes.add(write(cause, cause == explanation.winner()));
        }
        MapValue.Builder json = MapValue.builder()
                .put("document", ProblemJson.write(explanation.document()))
                .put("path", new Text(explanation.place().path()));
        putValue(json, "value", redaction.data(explanation.value()));
        return json.put("causes", ListValue.of(causes)).build();
    }

    private MapValue write(Cause cause, boolean won) {
        MapValue.Builder json = MapValue.builder()
                .put("kind", new Text(kind(cause)))
                .put("won", Bool.of(won))
                .put("document", ProblemJson.write(cause.document()))
                .put("path", new Text(path(cause)))
                .put("place", place(cause.document(), cause.place()))
                .put(
                        "revision",
                        whereabouts
                                .revision(cause.document())
                                .<Value>map(Num::of)
                                .orElse(Null.NULL));
        if (cause instanceof Cause.Inherited inherited) {
            json.put("base", ProblemJson.write(inherited.base())).put("from", orNull(inherited.from()));
        } else if (cause instanceof Cause.Layered layered) {
            Place inDocument = layered.inData() == null ? null : Cause.inDocument(layered.inData());
            json.put("number", Num.of(layered.number()))
                    .put("method", new Text(layered.action().method().text()))
                    .put("actionPath", new Text(layered.action().path().text()))
                    .put("dataPath", inDocument == null ? Null.NULL : new Text(inDocument.path()))
                    .put(
                            "dataPlace",
                            inDocument == null ? Null.NULL : place(layered.document(), inDocument.toString()));
        } else if (cause instanceof Cause.Substituted substituted) {
            write(substituted, json);
        } else if (cause instanceof Cause.Derived derived) {
            json.put("from", orNull(derived.from()));
        } else if (cause instanceof Cause.Operated operated) {
            json.put("number", Num.of(operated.number()))
                    .put("type", new Text(operated.type()))
                    .put("from", orNull(operated.from()));
        }
        putValue(json, "value", redaction.data(cause.value()));
        return json.build();
    }

    private void write(Cause.Substituted cause, MapValue.Builder json) {
        Cause.Substituted.Asked asked = cause.asked();
        json.put("number", Num.of(asked.number()))
                .put(
                        "source",
                        MapValue.builder()
                                .put(
                                        "schema",
                                        new Text(asked.source().document().schema()))
                                .put("name", new Text(asked.source().document().name()))
                                .build())
                .put("sourcePath", new Text(asked.source().path().text()));
        if (!asked.source().pattern().isEmpty()) {
            json.put("sourcePattern", new Text(asked.source().pattern()))
                    .put("matchGroup", Num.of(asked.source().matchGroup()));
            putValue(json, "picked", redaction.data(cause.picked()));
        }
        json.put("destinationPath", new Text(asked.destination().path().text()));
        if (!asked.destination().pattern().isEmpty()) {
            json.put("destinationPattern", new Text(asked.destination().pattern()));
        }
        json.put("from", orNull(cause.from()));
    }

    /* Keys of data may contain dots. Quoted keys lead back to the place, as in the path of the explanation. */
    private static String path(Cause cause) {
        return cause instanceof Cause.Own own ? Cause.inDocument(own.inData()).path() : cause.place();
    }

    private static String kind(Cause cause) {
        if (cause instanceof Cause.Own) {
            return "own";
        } else if (cause instanceof Cause.Inherited) {
            return "parent";
        } else if (cause instanceof Cause.Layered) {
            return "action";
        }
        if (cause instanceof Cause.Derived) {
            return "derivation";
        }
        return cause instanceof Cause.Substituted ? "substitution" : "operation";
    }

    private Value place(DocumentId document, String path) {
        return whereabouts.place(document, path).<Value>map(Text::new).orElse(Null.NULL);
    }

    private Value orNull(Explanation from) {
        return from == null || ++nested > MOST_NESTED ? Null.NULL : writeNested(from);
    }

    private static void putValue(MapValue.Builder json, String name, Value value) {
        if (value != null) {
            json.put(name, value);
        }
    }
}
