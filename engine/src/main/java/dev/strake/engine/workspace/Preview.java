package dev.strake.engine.workspace;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.DerivedContents;
import dev.strake.engine.render.LateContents;
import dev.strake.engine.render.Output;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.PlaceChange;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a change would do to a workspace: an update that nobody stores or publishes.
 *
 * @param update the update as it would be
 * @param rendered rendered documents that would be published or withdrawn, in order of their keys
 * @param waiting of a revision that would fail: rendered documents that would come out different from those of the head, and
 *     that nobody would get before all documents render
 * @param appearing problems that the revision would have, and the head has not
 * @param vanishing problems that the head has, and the revision would not have
 * @param staying how many problems both have
 */
public record Preview(
        Update update,
        List<Differing> rendered,
        List<Differing> waiting,
        List<Problem> appearing,
        List<Problem> vanishing,
        int staying) {

    /**
     * A rendered document that would differ.
     *
     * @param changes where, and how; null if the preview has become too large to say, or if consumers hold the record of
     *     an earlier revision, because the head holds its own back
     * @param isSecret whether it has secrets before or after
     */
    public record Differing(DocumentKey key, Kind kind, List<PlaceChange> changes, boolean isSecret) {

        /** How it would differ. */
        public enum Kind {
            CREATED,
            MODIFIED,
            DELETED
        }
    }

    /**
     * Compares a head with what would become of it.
     *
     * @param contents of the head
     * @param redaction how secrets are shown
     * @param mostBytes how much the changed places may take together, measured as JSON
     */
    public static Preview of(Workspace head, Contents contents, Update update, Redaction redaction, long mostBytes) {
        Comparison comparison = new Comparison(head, contents, update, redaction, mostBytes);
        List<Differing> rendered =
                update.emissions().stream().map(comparison::published).toList();
        List<Differing> waiting = update.status() == Update.Status.FAILED ? comparison.waiting() : List.of();
        List<Problem> problemsBefore = head.problems(Integer.MAX_VALUE);
        List<Problem> problemsAfter = update.next().problems(Integer.MAX_VALUE);
        List<Problem> appearing = without(problemsAfter, problemsBefore);
        return new Preview(
                update,
                rendered,
                waiting,
                appearing,
                without(problemsBefore, problemsAfter),
                problemsAfter.size() - appearing.size());
    }

    /** What the head renders, beside what the revision would. Changed places are listed as long as there is room. */
    private static final class Comparison {

        private final Workspace head;
        private final Update update;
        private final Records before;
        private final Records after;
        private final Redaction redaction;
        private final long mostBytes;
        private long bytes;

        Comparison(Workspace head, Contents contents, Update update, Redaction redaction, long mostBytes) {
            this.head = head;
            this.update = update;
            this.before = new Records(head, contents);
            this.after = new Records(update.next(), contentsAfter(head, contents, update));
            this.redaction = redaction;
            this.mostBytes = mostBytes;
        }

        Differing published(Emission emission) {
            Output old = before.output(emission.key());
            Optional<Output> held = head.held().get(emission.key());
            // Consumers may hold what the head renders with its keys in another order.
            boolean isHeadShown = held == null
                    || (old != null && held.isPresent() && held.get().hasSameContent(old));
            Differing.Kind kind = (isHeadShown ? old == null : held.isEmpty())
                    ? Differing.Kind.CREATED
                    : emission.isRemoval() ? Differing.Kind.DELETED : Differing.Kind.MODIFIED;
            return differing(emission.key(), kind, isHeadShown);
        }

        /** In order of their keys. */
        List<Differing> waiting() {
            Set<DocumentKey> keys = new TreeSet<>(update.derived().documents().keySet());
            Stream.of(
                            update.edits().keySet(),
                            update.results().evaluations().keySet(),
                            update.results().moved())
                    .forEach(ids -> ids.forEach(id -> keys.add(id.key())));
            return keys.stream().map(this::waiting).filter(Objects::nonNull).toList();
        }

        /* Null if it would not come out different, or has a problem: that is told by itself. */
        private Differing waiting(DocumentKey key) {
            Output old = before.output(key);
            Output young = after.output(key);
            if (young == null) {
                return old == null || after.isMissed(key) || isOfOwnerInTrouble(key)
                        ? null
                        : differing(key, Differing.Kind.DELETED, true);
            }
            if (old != null) {
                return old.hasSameContent(young) ? null : differing(key, Differing.Kind.MODIFIED, true);
            }
            Optional<Output> held = head.held().get(key);
            boolean isKnown = held != null && held.isPresent(); // to consumers, from before the head got into trouble
            return differing(key, isKnown ? Differing.Kind.MODIFIED : Differing.Kind.CREATED, !isKnown);
        }

        private boolean isOfOwnerInTrouble(DocumentKey key) {
            DocumentId owner = before.owner(key);
            return owner != null
                    && update.next().graph().facts(owner) != null
                    && update.next().evaluation(owner).isInTrouble();
        }

        private Differing differing(DocumentKey key, Differing.Kind kind, boolean isHeadShown) {
            boolean isSecret = before.isSecret(key) || after.isSecret(key);
            boolean isCreated = kind == Differing.Kind.CREATED; // then what the head renders, no consumer has
            List<PlaceChange> changes = bytes <= mostBytes && (isHeadShown || isCreated)
                    ? changes(isCreated ? null : before, after, key, redaction)
                    : null;
            for (PlaceChange each : changes == null ? List.<PlaceChange>of() : changes) {
                bytes += each.weight();
            }
            return new Differing(key, kind, bytes <= mostBytes ? changes : null, isSecret);
        }
    }

    /* Null if a key is missing, so that it is not known what was there. */
    private static List<PlaceChange> changes(Records before, Records after, DocumentKey key, Redaction shown) {
        try {
            MapValue was = before == null ? null : shown.rendered(before.record(key));
            return shown.changes(was, shown.rendered(after.record(key)));
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
        Function<DocumentId, Document> documents = id -> {
            Edit edit = update.edits().get(id);
            return edit == null ? contents.document(id) : edit.document();
        };
        return new LateContents(
                update.next().graph(),
                documents,
                contents::data,
                update.results().data(),
                head::evaluation,
                update.next()::evaluation);
    }

    private static List<Problem> without(List<Problem> all, List<Problem> known) {
        Set<Problem> hidden = new HashSet<>(known);
        return all.stream().filter(problem -> !hidden.contains(problem)).toList();
    }
}
