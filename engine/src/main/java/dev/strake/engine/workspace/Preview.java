package dev.strake.engine.workspace;

import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.Reason;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.Tracer;
import dev.strake.engine.render.Tracer.Verdict;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a change would do to a workspace: an update that nobody stores or publishes.
 *
 * @param update the update as it would be
 * @param cutOff documents that would be rendered again with the same result
 * @param rendered rendered documents that would be published or withdrawn, in order of their keys
 * @param appearing problems that the revision would have, and the head has not
 * @param vanishing problems that the head has, and the revision would not have
 */
public record Preview(
        Update update, int cutOff, List<Differing> rendered, List<Problem> appearing, List<Problem> vanishing) {

    /**
     * A rendered document that would differ.
     *
     * @param before what the head renders it to; null if nothing
     * @param after what it would be; null if it would be withdrawn
     */
    public record Differing(DocumentKey key, MapValue before, MapValue after) {

        /** Never shows what is in the document. */
        @Override
        public String toString() {
            return "Differing[" + key + "]";
        }
    }

    /** Counts what was decided about documents while an update is worked out. */
    public static final class Verdicts implements Tracer {

        private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);

        @Override
        public void decided(DocumentId document, Reason reason, Verdict verdict) {
            counts.merge(verdict, 1, Integer::sum);
        }

        int cutOff() {
            return counts.getOrDefault(Verdict.CUT_OFF, 0);
        }
    }

    /**
     * Compares a head with what would become of it.
     *
     * @param before the contents of the head
     * @param after the contents of the revision that would be
     * @param verdicts the tracer that the update was worked out with
     */
    public static Preview of(Workspace head, Contents before, Update update, Contents after, Verdicts verdicts) {
        List<Differing> rendered = new ArrayList<>();
        for (Emission emission : update.emissions()) {
            DocumentId old = rendered(head, emission.key());
            DocumentId young = emission.document();
            rendered.add(new Differing(
                    emission.key(),
                    old == null ? null : before.document(old).rendered(before.data(old)),
                    young == null ? null : after.document(young).rendered(after.data(young))));
        }
        List<Problem> problemsBefore = head.problems(Integer.MAX_VALUE);
        List<Problem> problemsAfter = update.next().problems(Integer.MAX_VALUE);
        return new Preview(
                update,
                verdicts.cutOff(),
                List.copyOf(rendered),
                without(problemsAfter, problemsBefore),
                without(problemsBefore, problemsAfter));
    }

    private static DocumentId rendered(Workspace head, DocumentKey key) {
        Graph graph = head.graph();
        for (DocumentId id : graph.withKey(key)) {
            if (graph.isRendered(graph.facts(id)) && !head.evaluation(id).isInTrouble()) {
                return id;
            }
        }
        return null;
    }

    private static List<Problem> without(List<Problem> all, List<Problem> known) {
        Set<Problem> hidden = new HashSet<>(known);
        return all.stream().filter(problem -> !hidden.contains(problem)).toList();
    }
}
