package dev.strake.server.deckhand.documents;

import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What became of buckets between two revisions, in Deckhand's words. The later of the two counts as the new one, in whatever
 * order they are named, and a bucket without documents is none. So everything is created since revision 0, which has no documents.
 */
public final class BucketDiff {

    private BucketDiff() {}

    /** What may be said of a bucket. */
    public enum State {
        CREATED,
        DELETED,
        MODIFIED,
        UNMODIFIED;
    }

    /**
     * Compares the buckets of two revisions.
     *
     * @param earlier what each bucket of the earlier revision holds, in a form in which equal content is equal
     * @param later the same of the later one
     */
    public static SortedMap<String, State> of(Map<String, ?> earlier, Map<String, ?> later) {
        TreeSet<String> buckets = new TreeSet<>(earlier.keySet());
        buckets.addAll(later.keySet());
        SortedMap<String, State> result = new TreeMap<>();
        for (String bucket : buckets) {
            result.put(bucket, state(earlier.get(bucket), later.get(bucket)));
        }
        return result;
    }

    private static State state(Object earlier, Object later) {
        if (earlier == null) {
            return State.CREATED;
        } else if (later == null) {
            return State.DELETED;
        }
        return Objects.equals(earlier, later) ? State.UNMODIFIED : State.MODIFIED;
    }
}
