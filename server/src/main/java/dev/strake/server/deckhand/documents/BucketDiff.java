package dev.strake.server.deckhand.documents;

import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares the buckets of two revisions, in Deckhand's terms. The later revision is the new one, regardless of their
 * order in the request. A bucket without documents does not exist, so relative to revision 0 all buckets are created.
 */
public final class BucketDiff {

    private BucketDiff() {}

    /** The result for a bucket. */
    public enum State {
        CREATED,
        DELETED,
        MODIFIED,
        UNMODIFIED;
    }

    /**
     * Compares the buckets of two revisions.
     *
     * @param earlier the content of each bucket in the earlier revision, comparable by equals
     * @param later the same for the later revision
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
