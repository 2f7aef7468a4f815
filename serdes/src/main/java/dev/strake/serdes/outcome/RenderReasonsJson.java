package dev.strake.serdes.outcome;

import dev.strake.engine.explain.RenderReasons.Link;
import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Reason;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.Locale;

/**
 * Why a revision rendered a document again, as JSON:
 *
 * <pre>{@code
 * {"document": {"schema", "layer", "name"},
 *  "reasons": [{"document": {...}, "reason", "verdict", "edge"?, "on"?, "before"?}, ...]}
 * }</pre>
 *
 * <p>The first reason concerns the document, the next one the document that made it due, and so on to the seed. The
 * list is empty if the revision did not reach the document. A reason is {@code changed} (a dependency, {@code on},
 * changed), {@code resolved} (an edge leads to {@code on}, and led to {@code before}), {@code edited}, {@code placed},
 * {@code derived} (the document is derived from {@code on}, and shares its verdict with all documents derived from it),
 * {@code read} (the document derives others, and what it reads of {@code on} changed), {@code cyclic}, {@code limited}
 * or {@code none}. A verdict is {@code rendered}, {@code cut-off} (evaluated with the same result), {@code verified}
 * (nothing that the document uses changed), {@code clean} or {@code in-trouble}.
 */
public final class RenderReasonsJson {

    private RenderReasonsJson() {}

    public static MapValue write(DocumentId of, List<Link> chain) {
        return MapValue.of("document", ProblemJson.write(of))
                .with(
                        "reasons",
                        ListValue.of(
                                chain.stream().map(RenderReasonsJson::write).toList()));
    }

    private static MapValue write(Link link) {
        MapValue.Builder json = MapValue.builder()
                .put("document", ProblemJson.write(link.document()))
                .put("reason", new Text(name(link.reason())))
                .put(
                        "verdict",
                        new Text(link.verdict().name().toLowerCase(Locale.ROOT).replace('_', '-')));
        if (link.reason() instanceof Reason.Changed changed) {
            edge(json, changed.dependency()).put("on", id(changed.dependency()));
        } else if (link.reason() instanceof Reason.Resolved resolved) {
            edge(json, resolved.now() == null ? resolved.before() : resolved.now())
                    .put("on", id(resolved.now()))
                    .put("before", id(resolved.before()));
        } else if (link.reason() instanceof Reason.Derived derived) {
            json.put("edge", new Text("is derived from")).put("on", ProblemJson.write(derived.owner()));
        } else if (link.reason() instanceof Reason.Read read) {
            json.put("edge", new Text("reads")).put("on", ProblemJson.write(read.document()));
        }
        return json.build();
    }

    private static MapValue.Builder edge(MapValue.Builder json, Dependency dependency) {
        return json.put("edge", new Text(dependency.reference().verb()));
    }

    private static Value id(Dependency dependency) {
        return dependency == null || dependency.on() == null ? Null.NULL : ProblemJson.write(dependency.on());
    }

    private static String name(Reason reason) {
        return reason == null ? "none" : reason.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}
