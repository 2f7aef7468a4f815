package dev.strake.topology.store;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.store.RevisionsLayout;
import dev.strake.serdes.store.RevisionsLayout.Horizon;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.serdes.store.TouchedLayout;
import dev.strake.serdes.store.TouchedLayout.Touched;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** The revisions of workspaces: which there are, which there were, and what each of them touched. */
public final class RevisionReader {

    private static final int MOST_TAGGED = 20;

    private final ReadOnlyKeyValueStore<Bytes, byte[]> revisions;

    public RevisionReader(ReadOnlyKeyValueStore<Bytes, byte[]> revisions) {
        this.revisions = revisions;
    }

    /** The number of the last revision; 0 if there is none. */
    public long lastRevision(String workspace) {
        return Search.last(revisions, RevisionsLayout.key(workspace, 0), RevisionsLayout.key(workspace, Long.MAX_VALUE))
                .map(entry -> RevisionsLayout.revision(entry.key.get()))
                .orElse(0L);
    }

    /** A revision; null if it does not exist, or not any more. */
    public Revision revision(String workspace, long number) {
        byte[] key = RevisionsLayout.key(workspace, number);
        byte[] value = revisions.get(Bytes.wrap(key));
        return value == null || number < horizon(workspace).start() ? null : RevisionsLayout.read(key, value);
    }

    /**
     * A revision that a change refers to.
     *
     * @throws RejectedChangeException if it does not exist, or not any more
     */
    public Revision required(String workspace, long number) throws RejectedChangeException {
        Revision revision = revision(workspace, number);
        if (revision == null) {
            throw new RejectedChangeException(List.of(missing(workspace, number)));
        }
        return revision;
    }

    /** The first revision at or behind a number that is there; null if none is. */
    public NumberedRevision revisionFrom(String workspace, long number) {
        byte[] key = RevisionsLayout.key(workspace, number);
        byte[] value = revisions.get(Bytes.wrap(key));
        if (value != null) { // it nearly always is there, and asking costs less than searching
            return new NumberedRevision(number, RevisionsLayout.read(key, value));
        }
        return Search.first(revisions, key, RevisionsLayout.key(workspace, Long.MAX_VALUE))
                .map(entry -> numbered(entry.key.get(), entry.value))
                .orElse(null);
    }

    private static NumberedRevision numbered(byte[] key, byte[] value) {
        return new NumberedRevision(RevisionsLayout.revision(key), RevisionsLayout.read(key, value));
    }

    /** The number of the last revision below a number that is there; 0 if none is. */
    public long revisionBelow(String workspace, long number) {
        return Search.last(revisions, RevisionsLayout.key(workspace, 0), RevisionsLayout.key(workspace, number - 1))
                .map(entry -> RevisionsLayout.revision(entry.key.get()))
                .orElse(0L);
    }

    /** The revisions of a workspace that are there, by number. */
    public SortedMap<Long, Revision> revisions(String workspace) {
        SortedMap<Long, Revision> result = new TreeMap<>();
        long start = horizon(workspace).start();
        Search.range(
                revisions,
                RevisionsLayout.key(workspace, start),
                RevisionsLayout.key(workspace, Long.MAX_VALUE),
                (key, value) -> result.put(RevisionsLayout.revision(key), RevisionsLayout.read(key, value)));
        return result;
    }

    /** How far the history of a workspace was pruned. */
    public Horizon horizon(String workspace) {
        byte[] key = RevisionsLayout.horizonKey(workspace);
        byte[] value = revisions.get(Bytes.wrap(key));
        return value == null ? Horizon.NONE : RevisionsLayout.readHorizon(key, value);
    }

    /** Why a workspace does not have a revision that was asked for: it never had, or it was pruned. */
    public Problem missing(String workspace, long number) {
        long last = lastRevision(workspace);
        if (number < 1 || number > last) {
            return Problem.of(
                    ProblemCode.REVISION_NOT_FOUND,
                    "the workspace has no revision " + number + (last == 0 ? "" : "; its last one is " + last),
                    "list its revisions");
        }
        Horizon horizon = horizon(workspace);
        if (number < horizon.start()) {
            return Problem.of(
                    ProblemCode.REVISION_NOT_FOUND,
                    "revision " + number + " went when the workspace was deleted, which made revision "
                            + horizon.start(),
                    "a deletion keeps nothing, not even what is tagged");
        }
        SortedMap<Long, Revision> kept = revisions(workspace);
        List<Long> tagged = List.copyOf(kept.headMap(horizon.first()).keySet());
        String others = tagged.isEmpty()
                ? ""
                : ", and of older ones the tagged "
                        + tagged.subList(0, Math.min(MOST_TAGGED, tagged.size())).stream()
                                .map(String::valueOf)
                                .collect(Collectors.joining(", "))
                        + (tagged.size() > MOST_TAGGED ? ", …" : "");
        return Problem.of(
                ProblemCode.REVISION_NOT_FOUND,
                "revision " + number + " was pruned; kept are "
                        + kept.tailMap(horizon.first()).firstKey() + " to " + last + others,
                "tag a revision that has to stay, or keep more of them: strake.history.revisions, strake.history.age");
    }

    /**
     * What was touched behind one revision and up to another, both of them there; also by revisions in between that
     * are not there any more.
     */
    public List<Touched> touched(String workspace, long after, long last) {
        List<Touched> result = new ArrayList<>();
        if (after < last) { // the store would warn of such a range
            Search.range(
                    revisions,
                    RevisionsLayout.key(workspace, after + 1),
                    RevisionsLayout.key(workspace, last),
                    (key, value) ->
                            result.addAll(RevisionsLayout.read(key, value).touched()));
            Search.range(
                    revisions,
                    TouchedLayout.key(workspace, after + 1, 0),
                    TouchedLayout.key(workspace, last, Integer.MAX_VALUE),
                    (key, value) -> result.addAll(TouchedLayout.read(key, value)));
            Search.range(
                    revisions,
                    TouchedLayout.gapPrefix(workspace, after),
                    TouchedLayout.gapPrefix(workspace, last),
                    (key, value) -> result.add(TouchedLayout.readGap(key, value)));
        }
        return result;
    }
}
