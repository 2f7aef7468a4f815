package dev.strake.engine.workspace;

import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Reason;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.DerivedContents;
import dev.strake.engine.render.Output;
import dev.strake.engine.render.Tracer;
import dev.strake.engine.render.Tracer.Verdict;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.PlaceChange;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
     * @param changes where, and how; null if the preview has become too large to say, or if consumers hold the record of
     *     an earlier revision, because the head holds its own back
     * @param isSecret whether it is secret before or after
     */
    public record Differing(DocumentKey key, Kind kind, List<PlaceChange> changes, boolean isSecret) {

        /** How it would differ. */
        public enum Kind {
            CREATED,
            MODIFIED,
            DELETED
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
     * @param contents of the head
     * @param verdicts the tracer that the update was worked out with
     * @param redaction how secrets are shown. A document that is secret before or after the change is redacted in both: one
     *     that becomes secret may have the same data as before
     * @param mostBytes how much the changed places may take together, measured as JSON
     */
    public static Preview of(
            Workspace head, Contents contents, Update update, Verdicts verdicts, Redaction redaction, long mostBytes) {
        Records before = new Records(head, contents);
        Records after = new Records(update.next(), contentsAfter(head, contents, update));
        List<Differing> rendered = new ArrayList<>();
        long bytes = 0;
        for (Emission emission : update.emissions()) {
            Output old = before.output(emission.key());
            Optional<Output> held = head.held().get(emission.key());
            // Consumers may hold what the head renders with its keys in another order.
            boolean isHeadShown = held == null
                    || (old != null && held.isPresent() && held.get().hasSameContent(old));
            Differing.Kind kind = (isHeadShown ? old == null : held.isEmpty())
                    ? Differing.Kind.CREATED
                    : emission.isRemoval() ? Differing.Kind.DELETED : Differing.Kind.MODIFIED;
            List<PlaceChange> changes = null;
            boolean isCreated = kind == Differing.Kind.CREATED; // then what the head renders, no consumer has
            if (bytes <= mostBytes && (isHeadShown || isCreated)) {
                Redaction shown = redaction.when(before.isSecret(emission.key()) || after.isSecret(emission.key()));
                changes = changes(isCreated ? null : before, after, emission.key(), shown);
                for (PlaceChange each : changes == null ? List.<PlaceChange>of() : changes) {
                    bytes += each.weight();
                }
            }
            boolean isSecret = before.isSecret(emission.key()) || after.isSecret(emission.key());
            rendered.add(new Differing(emission.key(), kind, bytes <= mostBytes ? changes : null, isSecret));
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

    /* Null if a key is missing, so that it is not known what was there. */
    private static List<PlaceChange> changes(Records before, Records after, DocumentKey key, Redaction shown) {
        try {
            MapValue was = before == null ? null : shown.rendered(before.record(key));
            return PlaceChange.between(was, shown.rendered(after.record(key)));
        } catch (DerivedContents.LockedException e) {
            return null;
        }
    }

    /**
     * The contents of the revision that would be: those of the head, and over them what the update brings.
     *
     * @param contents of the head
     */
    public static Contents contentsAfter(Workspace head, Contents contents, Update update) {
        Map<DocumentId, Value> data = new HashMap<>(update.data());
        return new DerivedContents(update.next().graph(), new DerivedContents.Stored() {
            @Override
            public Document document(DocumentId id) {
                Edit edit = update.edits().get(id);
                return edit == null ? contents.document(id) : edit.document();
            }

            @Override
            public Fingerprint hash(DocumentId id) {
                return update.next().evaluation(id).data();
            }

            @Override
            public Value data(DocumentId id) {
                boolean isAsBefore = !update.edits().containsKey(id)
                        && !update.evaluations().containsKey(id)
                        && head.evaluation(id) != null;
                return isAsBefore ? contents.data(id) : data.get(id);
            }

            @Override
            public void keep(DocumentId id, Value value) {
                data.put(id, value);
            }
        });
    }

    private static List<Problem> without(List<Problem> all, List<Problem> known) {
        Set<Problem> hidden = new HashSet<>(known);
        return all.stream().filter(problem -> !hidden.contains(problem)).toList();
    }
}
