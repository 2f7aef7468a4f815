package dev.strake.server.state;

import dev.strake.engine.explain.Dependents;
import dev.strake.engine.explain.Explanation;
import dev.strake.engine.explain.RenderReasons;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.outcome.DependentsJson;
import dev.strake.serdes.outcome.ExplanationJson;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.PreviewJson;
import dev.strake.serdes.outcome.RenderReasonsJson;
import dev.strake.topology.apply.DryRun;
import java.util.List;
import java.util.OptionalLong;

/**
 * Answers to questions about documents and changes, as JSON:
 *
 * <pre>{@code
 * explain     {"workspace", "revision", "items": [explanation, ...], "complete"}
 *             {"workspace", "revision", "problem"}                                   of a document that does not render
 * why         {"workspace", "revision", "before", "document", "reasons"}, see RenderReasonsJson
 * affected    {"workspace", "revision", "document", "dependents", "edges", "complete"}
 * plan        an outcome without "changeId", "input" and "time", and {"head", "against"?, "cutOff", "differences",
 *             "appearing", "vanishing", "complete"}, see PreviewJson
 * }</pre>
 */
final class QuestionJson {

    private QuestionJson() {}

    /** @param json writes one of them */
    static MapValue explanations(MapValue what, List<Explanation> all, int most, ExplanationJson json) {
        List<MapValue> items = all.stream().limit(most).map(json::write).toList();
        return what.with("items", ListValue.of(items)).with("complete", Bool.of(all.size() <= most));
    }

    /** @param earlier the revision that the other one is compared with */
    static MapValue reasons(MapValue what, long earlier, DocumentId of, RenderReasons reasons) {
        return what.with("before", Num.of(earlier)).updatedWith(RenderReasonsJson.write(of, reasons.chain(of)));
    }

    /** The same for a document that comes from an owner. */
    static MapValue reasonsOfDerived(
            MapValue what, long earlier, DocumentId of, DocumentId owner, RenderReasons reasons) {
        return what.with("before", Num.of(earlier))
                .updatedWith(RenderReasonsJson.write(of, reasons.chainOfDerived(of, owner)));
    }

    static MapValue dependents(MapValue what, DocumentId of, Dependents dependents) {
        return what.updatedWith(DependentsJson.write(of, dependents));
    }

    /**
     * What a change would do: its outcome, and what the outcome does not say.
     *
     * @param head of the workspace
     * @param against the revision on whose documents it was tried, if that is not the head
     */
    static MapValue plan(Workspace head, OptionalLong against, DryRun.Result result) {
        MapValue outcome = OutcomeJson.tree(result.outcome())
                .without("changeId")
                .without("input")
                .without("time")
                .with("head", Num.of(head.revision()));
        if (against.isPresent()) { // nobody would make that revision
            outcome = outcome.without("revision")
                    .without("renderedRevision")
                    .with("against", Num.of(against.getAsLong()));
        }
        return outcome.updatedWith(result.preview().map(PreviewJson::beside).orElse(PreviewJson.NOTHING));
    }
}
