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
 * What a change would do to a workspace: an update that is neither stored nor published.
 *
 * @param update the update that the change would make
 * @param rendered rendered documents that would be published or removed, in order of their keys
 * @param waiting if the revision would fail: rendered documents that would differ from those of the head, and that
 *     would not be published before all documents render
 * @param appearing problems that the revision would have, but the head has not
 * @param vanishing problems that the head has, but the revision would not have
 * @param staying problems that both have
 */
public record Preview(
        Update update,
        List<Differing> rendered,
        List<Differing> waiting,
        List<Problem> appearing,
        List<Problem> vanishing,
        List<Problem> staying) {

    /**
     * A rendered document that would change.
     *
     * @param changes the changed places; null if the preview has become too large to list them, or if the record that
     *     consumers hold is no longer known
     * @param isSecret whether the document has secrets before or after the change
     */
    public record Differing(DocumentKey key, Kind kind, List<PlaceChange> changes, boolean isSecret) {

        /** How the document would change. */
        public enum Kind {
            CREATED,
            MODIFIED,
            DELETED
        }
    }

    /** Access to the records that consumers hold while a problem holds back those of the head. */
    @FunctionalInterface
    public interface Held {

        /** Access for a head that holds nothing back. */
        Held NOTHING = (key, held) -> Optional.empty();

        /**
         * Returns a record that consumers hold; empty if it is no longer known.
         *
         * @param held the hashes of the record, see {@link Holdings#held()}
         */
        Optional<MapValue> record(DocumentKey key, Output held);
    }

    /**
     * The state on which a change is tried.
     *
     * @param contents the contents of the head
     */
    public record Base(Workspace head, Contents contents, Held held) {}

    /**
     * Compares a head with the result of an update.
     *
     * @param redaction how secrets are shown
     * @param mostBytes the limit for all changed places together, measured as JSON
     */
    public static Preview of(Base base, Update update, Redaction redaction, long mostBytes) {
        Workspace head = base.head();
        Comparison comparison = new Comparison(base, update, redaction, mostBytes);
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
                without(problemsAfter, appearing));
    }

    /** Compares the records of the head with those of the revision. Lists changed places up to the limit. */
    private static final class Comparison {

        private final Workspace head;
        private final Held held;
        private final Update update;
        private final Records before;
        private final Records after;
        private final Redaction redaction;
        private final long mostBytes;
        private long bytes;

        Comparison(Base base, Update update, Redaction redaction, long mostBytes) {
            this.head = base.head();
            this.held = base.held();
            this.update = update;
            this.before = new Records(head, base.contents());
            this.after = new Records(update.next(), contentsAfter(head, base.contents(), update));
            this.redaction = redaction;
            this.mostBytes = mostBytes;
        }

        Differing published(Emission emission) {
            DocumentKey key = emission.key();
            Output old = before.output(key);
            Optional<Output> consumers = head.holdings().held().getOrDefault(key, Optional.ofNullable(old));
            Differing.Kind kind = consumers.isEmpty()
                    ? Differing.Kind.CREATED
                    : emission.isRemoval() ? Differing.Kind.DELETED : Differing.Kind.MODIFIED;
            return differing(key, kind, consumers.orElse(null));
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

        /* Null if the record would not differ, or has a problem, which is reported separately. */
        private Differing waiting(DocumentKey key) {
            Output old = before.output(key);
            Output young = after.output(key);
            if (young == null) {
                return old == null || after.isMissed(key) || isOfOwnerInTrouble(key)
                        ? null
                        : differing(key, Differing.Kind.DELETED, old);
            }
            if (old != null) {
                return old.hasSameContent(young) ? null : differing(key, Differing.Kind.MODIFIED, old);
            }
            Output known =
                    head.holdings().held(key).orElse(null); // what consumers hold from before the head had a problem
            return differing(key, known == null ? Differing.Kind.CREATED : Differing.Kind.MODIFIED, known);
        }

        private boolean isOfOwnerInTrouble(DocumentKey key) {
            DocumentId owner = before.owner(key);
            return owner != null
                    && update.next().graph().facts(owner) != null
                    && update.next().evaluation(owner).isInTrouble();
        }

        /* The old record is null if there was none. */
        private Differing differing(DocumentKey key, Differing.Kind kind, Output was) {
            boolean isSecret = (was != null && was.secret()) || before.isSecret(key) || after.isSecret(key);
            List<PlaceChange> changes = bytes <= mostBytes ? changes(key, was) : null;
            for (PlaceChange each : changes == null ? List.<PlaceChange>of() : changes) {
                bytes += each.weight();
            }
            return new Differing(key, kind, bytes <= mostBytes ? changes : null, isSecret);
        }

        /* Null if a record is not known, for example because a key is missing. */
        private List<PlaceChange> changes(DocumentKey key, Output was) {
            try {
                Optional<MapValue> old = was == null ? Optional.empty() : record(key, was);
                return was != null && old.isEmpty()
                        ? null
                        : redaction.changes(
                                redaction.rendered(old.orElse(null)), redaction.rendered(after.record(key)));
            } catch (DerivedContents.LockedException e) {
                return null;
            }
        }

        /* Consumers may hold the record of the head with another order of keys. */
        private Optional<MapValue> record(DocumentKey key, Output was) {
            return was.hasSameContent(before.output(key)) ? Optional.of(before.record(key)) : held.record(key, was);
        }
    }

    /**
     * Returns the contents of the revision that the update would make: those of the update, or else those of the head.
     *
     * @param contents the contents of the head
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
