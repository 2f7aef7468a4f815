package dev.strake.topology.store;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.readiness.ValidationResult;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.layout.RevisionsLayout.Horizon;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import dev.strake.topology.layout.TouchedLayout;
import dev.strake.topology.layout.TouchedLayout.Touched;
import dev.strake.topology.layout.ValidationsLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Reads the revisions of workspaces: which are kept, which were pruned, and which documents they touched. */
public final class RevisionHistory {

    private static final int MOST_TAGGED = 20;

    private final ReadOnlyKeyValueStore<Bytes, byte[]> revisions;
    private final InstalledKeys keys;

    /** A reader without keys, to which the digests of revisions with secrets are unknown. */
    public RevisionHistory(ReadOnlyKeyValueStore<Bytes, byte[]> revisions) {
        this(revisions, InstalledKeys.NONE);
    }

    RevisionHistory(ReadOnlyKeyValueStore<Bytes, byte[]> revisions, InstalledKeys keys) {
        this.revisions = revisions;
        this.keys = keys;
    }

    public SortedSet<String> workspaces() {
        SortedSet<String> names = new TreeSet<>();
        Search.scan(revisions, RevisionsLayout.horizonPrefix(), (key, value) -> names.add(KeyReader.workspace(key)));
        return names;
    }

    /** The number of the last revision; 0 if there is none. */
    public long lastRevision(String workspace) {
        return Search.last(revisions, RevisionsLayout.key(workspace, 0), RevisionsLayout.key(workspace, Long.MAX_VALUE))
                .map(entry -> RevisionsLayout.revision(entry.key.get()))
                .orElse(0L);
    }

    /** A revision; empty if it does not exist or no longer exists. */
    public Optional<Revision> revision(String workspace, long number) {
        byte[] key = RevisionsLayout.key(workspace, number);
        byte[] value = revisions.get(Bytes.wrap(key));
        return value == null || number < horizon(workspace).start() ? Optional.empty() : Optional.of(read(key, value));
    }

    /** The last revision with a tag; several revisions may have the same tag. */
    public OptionalLong tagged(String workspace, String tag) {
        try (Stream<NumberedRevision> all = revisions(workspace, 0)) {
            return all.filter(each -> each.revision().tags().containsKey(tag))
                    .mapToLong(NumberedRevision::number)
                    .max();
        }
    }

    /** The last revision that did not fail, which consumers see. 0 if there was none, empty if it is not kept. */
    public OptionalLong published(String workspace) {
        long number = lastRevision(workspace);
        long shown = number;
        while (number > 0) {
            Optional<Revision> revision = revision(workspace, number);
            if (revision.isEmpty()) {
                break; // pruned, or of a deleted workspace
            }
            if (revision.get().status() != OutcomeStatus.FAILED) {
                return OptionalLong.of(number);
            }
            shown = revision.get().published().revision();
            number = revisionBelow(workspace, number);
        }
        return shown == 0 ? OptionalLong.of(0) : OptionalLong.empty();
    }

    /** Whether a workspace has a revision. Every workspace has revision 0, which is empty. */
    public boolean isKept(String workspace, long number) {
        return number == 0
                || (isWhole(workspace, number) && number >= horizon(workspace).start());
    }

    /**
     * Whether all entries of a revision exist. A reader sees a complete revision if it is whole before and after
     * reading: its record is written last and removed first. A revision before a deletion may stay whole for a while,
     * for its current readers.
     */
    public boolean isWhole(String workspace, long number) {
        return number == 0 || revisions.get(Bytes.wrap(RevisionsLayout.key(workspace, number))) != null;
    }

    /**
     * The revision to which a change refers.
     *
     * @throws RejectedChangeException if it does not exist or no longer exists
     */
    public Revision required(String workspace, long number) throws RejectedChangeException {
        return revision(workspace, number)
                .orElseThrow(() -> new RejectedChangeException(List.of(missing(workspace, number))));
    }

    /** The first kept revision at or after a number; null if there is none. */
    public NumberedRevision revisionFrom(String workspace, long number) {
        byte[] key = RevisionsLayout.key(workspace, number);
        byte[] value = revisions.get(Bytes.wrap(key));
        if (value != null) { // it nearly always exists, and a get costs less than a search
            return new NumberedRevision(number, read(key, value));
        }
        return Search.first(revisions, key, RevisionsLayout.key(workspace, Long.MAX_VALUE))
                .map(entry -> numbered(entry.key.get(), entry.value))
                .orElse(null);
    }

    private Revision read(byte[] key, byte[] value) {
        return RevisionsLayout.read(keys.current(), key, value);
    }

    private NumberedRevision numbered(byte[] key, byte[] value) {
        return new NumberedRevision(RevisionsLayout.revision(key), read(key, value));
    }

    /** The number of the last kept revision below a number; 0 if there is none. */
    public long revisionBelow(String workspace, long number) {
        return Search.last(revisions, RevisionsLayout.key(workspace, 0), RevisionsLayout.key(workspace, number - 1))
                .map(entry -> RevisionsLayout.revision(entry.key.get()))
                .orElse(0L);
    }

    /** The kept revisions of a workspace after a number, the oldest first, read lazily. The stream must be closed. */
    public Stream<NumberedRevision> revisions(String workspace, long after) {
        long from = Math.max(horizon(workspace).start(), after + 1);
        return Search.stream(
                        revisions, RevisionsLayout.key(workspace, from), RevisionsLayout.key(workspace, Long.MAX_VALUE))
                .map(entry -> numbered(entry.key.get(), entry.value));
    }

    /** The validation results posted for a revision, in the order of arrival. */
    public List<ValidationResult> results(String workspace, long revision) {
        List<ValidationResult> results = new ArrayList<>();
        Search.range(
                revisions,
                ValidationsLayout.key(workspace, revision, 0),
                ValidationsLayout.key(workspace, revision, Integer.MAX_VALUE),
                (key, value) -> results.add(ValidationsLayout.read(key, value)));
        return results;
    }

    /** The number of validation results of a revision. */
    public int resultCount(String workspace, long revision) {
        return Search.last(
                        revisions,
                        ValidationsLayout.key(workspace, revision, 0),
                        ValidationsLayout.key(workspace, revision, Integer.MAX_VALUE))
                .map(entry -> ValidationsLayout.number(entry.key.get()) + 1)
                .orElse(0);
    }

    /** How far the history of a workspace is pruned. */
    public Horizon horizon(String workspace) {
        byte[] key = RevisionsLayout.horizonKey(workspace);
        byte[] value = revisions.get(Bytes.wrap(key));
        return value == null ? Horizon.NONE : RevisionsLayout.readHorizon(key, value);
    }

    /** Why a workspace does not have a revision: it never existed, it was pruned, or the workspace was deleted. */
    public Problem missing(String workspace, long number) {
        long last = lastRevision(workspace);
        if (number < 1 || number > last) {
            return Problem.of(
                    ProblemCode.REVISION_NOT_FOUND,
                    "the workspace has no revision " + number + (last == 0 ? "" : "; the last is " + last),
                    "list its revisions");
        }
        Horizon horizon = horizon(workspace);
        if (number < horizon.start()) {
            return Problem.of(
                    ProblemCode.REVISION_NOT_FOUND,
                    "revision " + number + " was deleted with the workspace, which made revision " + horizon.start(),
                    "use a later revision; deleting a workspace keeps none, not even tagged ones");
        }
        List<Long> tagged;
        try (Stream<NumberedRevision> kept = revisions(workspace, 0)) {
            tagged = kept.map(NumberedRevision::number)
                    .takeWhile(each -> each < horizon.first())
                    .limit(MOST_TAGGED + 1L)
                    .toList();
        }
        String others = tagged.isEmpty()
                ? ""
                : ", and the tagged "
                        + tagged.subList(0, Math.min(MOST_TAGGED, tagged.size())).stream()
                                .map(String::valueOf)
                                .collect(Collectors.joining(", "))
                        + (tagged.size() > MOST_TAGGED ? ", …" : "");
        return Problem.of(
                ProblemCode.REVISION_NOT_FOUND,
                "revision " + number + " was pruned; kept are "
                        + revisionFrom(workspace, horizon.first()).number() + " to " + last + others,
                "to keep a revision, tag it, or raise strake.history.revisions or strake.history.age");
    }

    /**
     * Passes on the documents touched after one revision and up to another, including pruned revisions in between. The
     * documents come in no order and may occur several times. Both given revisions must be kept.
     */
    public void forEachTouched(String workspace, long after, long last, Consumer<Touched> action) {
        if (after < last) { // the store logs a warning for an inverted range
            Search.range(
                    revisions,
                    RevisionsLayout.key(workspace, after + 1),
                    RevisionsLayout.key(workspace, last),
                    (key, value) -> read(key, value).touched().forEach(action));
            Search.range(
                    revisions,
                    TouchedLayout.key(workspace, after + 1, 0),
                    TouchedLayout.key(workspace, last, Integer.MAX_VALUE),
                    (key, value) -> TouchedLayout.read(key, value).forEach(action));
            Search.range(
                    revisions,
                    TouchedLayout.gapPrefix(workspace, after),
                    TouchedLayout.gapPrefix(workspace, last),
                    (key, value) -> action.accept(TouchedLayout.readGap(key, value)));
        }
    }
}
