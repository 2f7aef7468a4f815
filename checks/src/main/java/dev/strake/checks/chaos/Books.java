package dev.strake.checks.chaos;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.serdes.change.Change;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeReader;
import dev.strake.serdes.change.Payload;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.text.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The expected content of a workspace according to its changes, computed in the simplest way: a list of all revisions,
 * each with all its documents. Shares parsing of records with the service, but no decisions.
 */
final class Books {

    /** The expected response to a change. */
    enum Answer {
        PENDING,
        DUPLICATE,
        REJECTED,
        UNCHANGED,
        REVISION
    }

    private record Held(Document document, String bucket) {

        boolean isSameAs(Held other) {
            return other != null
                    && bucket.equals(other.bucket)
                    && document.tree().equals(other.document.tree());
        }
    }

    /** The parts of a change received so far. */
    private record Waiting(ChangeEnvelope envelope, Map<Integer, Payload> payloads) {}

    private final ChangeReader reader = new ChangeReader(Limits.DEFAULT);
    private final List<Map<DocumentId, Held>> revisions = new ArrayList<>(List.of(Map.of()));
    private final Set<String> applied = new HashSet<>();
    private final Map<String, Waiting> waiting = new HashMap<>();
    private final int kept;
    private int begin;

    /** @param kept how many revisions are never pruned, see {@link #enter} */
    Books(int kept) {
        this.kept = kept;
    }

    /** The number of the last revision; 0 before the first. */
    long revision() {
        return revisions.size() - 1L;
    }

    /** The documents of the last revision. */
    List<Document> documents() {
        return head().values().stream().map(Held::document).toList();
    }

    private Map<DocumentId, Held> head() {
        return revisions.get(revisions.size() - 1);
    }

    /**
     * Enters the next record of this workspace, and returns the expected answer. A dry run is not entered; its outcome
     * has to announce that answer. Changes do not determine whether an old revision was already pruned, or whether a
     * tag exceeded a limit. So a change that refers to such a revision, or adds to such a limit, may have been
     * rejected.
     *
     * @param told the actual answer; null if there was none
     * @param forLackOfRoom whether the change was rejected because of a limit
     */
    Answer enter(ChangeEnvelope.Reading reading, byte[] body, Answer told, boolean forLackOfRoom) {
        ChangeEnvelope envelope = reading.envelope();
        if (!reading.problems().isEmpty()) {
            return Answer.REJECTED;
        }
        if (applied.contains(envelope.changeId())) {
            return Answer.DUPLICATE;
        }
        Payload payload = Payload.of(body, reading.origins());
        Waiting before = waiting.get(envelope.changeId());
        if (envelope.part().of() == 1 && before == null) {
            return apply(envelope, List.of(payload), told, forLackOfRoom);
        }
        if (before != null) {
            List<Problem> disagreements = envelope.disagreements(before.envelope());
            if (!disagreements.isEmpty()) {
                return Answer.REJECTED;
            }
            Payload first = before.payloads().get(envelope.part().number());
            if (first != null) {
                return Arrays.equals(first.stored(), payload.stored()) ? Answer.PENDING : Answer.REJECTED;
            }
        }
        Map<Integer, Payload> payloads = before == null ? new TreeMap<>() : before.payloads();
        payloads.put(envelope.part().number(), payload);
        if (!fits(payloads)) {
            waiting.remove(envelope.changeId());
            return Answer.REJECTED;
        }
        if (payloads.size() < envelope.part().of()) {
            waiting.put(envelope.changeId(), new Waiting(envelope, payloads));
            return Answer.PENDING;
        }
        waiting.remove(envelope.changeId());
        return apply(envelope, List.copyOf(payloads.values()), told, forLackOfRoom);
    }

    private static boolean fits(Map<Integer, Payload> payloads) {
        long sum = payloads.values().stream().mapToLong(Payload::bytes).sum();
        return sum <= Limits.DEFAULT.change().bytes();
    }

    /** Removes a change whose missing parts timed out; false if no such change waits. */
    boolean giveUp(String changeId) {
        return waiting.remove(changeId) != null;
    }

    private Answer apply(ChangeEnvelope envelope, List<Payload> payloads, Answer told, boolean forLackOfRoom) {
        Long expected = envelope.terms().expectedRevision();
        if (expected != null && expected != revision()) {
            return Answer.REJECTED;
        }
        Change change;
        try {
            change = reader.read(envelope, payloads);
        } catch (RejectedChangeException e) {
            return Answer.REJECTED;
        }
        Map<DocumentId, Held> next = next(change);
        boolean lacksRoom = forLackOfRoom && (change instanceof Change.Tag || change instanceof Change.ValidationPut);
        if (next == null || policies(next) > 1 || lacksRoom || (told == Answer.REJECTED && isMaybePruned(change))) {
            return Answer.REJECTED;
        }
        if (envelope.terms().dryRun()) {
            return isSame(next) ? Answer.UNCHANGED : Answer.REVISION;
        }
        applied.add(envelope.changeId());
        begin = change instanceof Change.WorkspaceDelete ? revisions.size() - 1 : begin;
        if (isSame(next)) {
            return Answer.UNCHANGED;
        }
        revisions.add(next);
        begin = change instanceof Change.WorkspaceDelete ? revisions.size() - 1 : begin;
        return Answer.REVISION;
    }

    private boolean isMaybePruned(Change change) {
        long revision = Long.MAX_VALUE;
        if (change instanceof Change.Rollback rollback) {
            revision = rollback.revision();
        } else if (change instanceof Change.Tag tag) {
            revision = tag.revision();
        } else if (change instanceof Change.Untag untag) {
            revision = untag.revision();
        } else if (change instanceof Change.ValidationPut put) {
            revision = put.revision();
        }
        return revision > 0 && revision <= revision() - kept;
    }

    private boolean isSame(Map<DocumentId, Held> next) {
        return next.keySet().equals(head().keySet())
                && next.entrySet().stream().allMatch(each -> each.getValue().isSameAs(head().get(each.getKey())));
    }

    /* Returns the documents after the change; null if the change is invalid. */
    private Map<DocumentId, Held> next(Change change) {
        String bucket = change.envelope().bucket();
        if (change instanceof Change.BucketPut put) {
            return put(bucket, put.documents(), true);
        } else if (change instanceof Change.DocumentsPut put) {
            return put(bucket, put.documents(), false);
        } else if (change instanceof Change.DocumentsDelete delete) {
            Map<DocumentId, Held> result = new TreeMap<>(head());
            delete.documents()
                    .forEach(id -> result.computeIfPresent(
                            id, (key, held) -> held.bucket().equals(bucket) ? null : held));
            return result;
        } else if (change instanceof Change.Rollback rollback) {
            return exists(rollback.revision()) ? restored((int) rollback.revision()) : null;
        } else if (change instanceof Change.Tag tag) {
            return tag.revision() > 0 && exists(tag.revision()) ? head() : null;
        } else if (change instanceof Change.ValidationPut put) {
            return put.revision() > 0 && exists(put.revision()) ? head() : null;
        } else if (change instanceof Change.WorkspaceDelete) {
            return Map.of();
        }
        Change.Untag untag = (Change.Untag) change;
        return untag.revision() > 0 && exists(untag.revision()) ? head() : null;
    }

    /* Revisions before the deletion of the workspace do not exist, except revision 0. */
    private boolean exists(long revision) {
        return revision == 0 || (revision >= begin && revision < revisions.size());
    }

    private Map<DocumentId, Held> put(String bucket, List<Document> documents, boolean isWholeBucket) {
        Map<DocumentId, Held> result = new TreeMap<>(head());
        Set<DocumentId> named = new HashSet<>();
        for (Document document : documents) {
            Held held = result.get(document.id());
            if (held != null && !held.bucket().equals(bucket)) {
                return null;
            }
            named.add(document.id());
            // Content that differs only in order is no change: the old content stays.
            if (held == null || !held.document().tree().equals(document.tree())) {
                result.put(document.id(), new Held(document, bucket));
            }
        }
        if (isWholeBucket) {
            result.entrySet()
                    .removeIf(each -> each.getValue().bucket().equals(bucket) && !named.contains(each.getKey()));
        }
        return result;
    }

    private Map<DocumentId, Held> restored(int revision) {
        Map<DocumentId, Held> result = new TreeMap<>(revisions.get(revision));
        result.replaceAll((id, then) -> then.isSameAs(head().get(id)) ? head().get(id) : then);
        return result;
    }

    private static long policies(Map<DocumentId, Held> documents) {
        return documents.keySet().stream()
                .filter(id -> id.schema().startsWith("deckhand/LayeringPolicy/"))
                .count();
    }
}
