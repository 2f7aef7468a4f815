package dev.strake.client;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.serdes.secret.SealedData;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One step from a rendered set of a workspace to the next. A step consists of whole revisions.
 *
 * @param kind how to apply the step
 * @param put new and changed documents, by schema and name; for a whole set, all its documents
 * @param removed documents that have left the set; empty for a whole set
 * @param contentHash hash of the whole set after the step, both announced in the outcome and computed from the records
 * @param outcome the outcome that describes this set; empty if the topic no longer has one, see {@link Kind#SNAPSHOT}
 */
public record RenderedUpdate(
        Kind kind,
        SortedMap<DocumentKey, RenderedRecord> put,
        Set<DocumentKey> removed,
        String contentHash,
        Optional<Outcome> outcome) {

    /** How to apply a step. */
    public enum Kind {

        /**
         * The whole set, as the first step: other documents do not exist any more. {@code outcome} is empty if the
         * topic holds no outcome of the workspace any more; then it is unknown whether the set is complete.
         */
        SNAPSHOT,

        /** The changes of one revision, or of several if the topic no longer has all their records. */
        REVISION,

        /** The whole set again: records since the last step are lost, because the topic was compacted or recreated. */
        COMPACTED
    }

    public RenderedUpdate {
        put = Collections.unmodifiableSortedMap(new TreeMap<>(put));
        removed = Set.copyOf(removed);
    }

    /**
     * Returns the same update with its encrypted secrets in clear. The values are still marked as secret: see
     * {@code Value.isSecret}, and {@code Redaction}, which masks them.
     *
     * @param keys such as {@code keyset.opening(Purpose.OUTPUT)} of {@code dev.strake.serdes.keyset}
     * @throws dev.strake.serdes.secret.SecretKeyNotFoundException if a key is missing
     * @throws dev.strake.serdes.secret.DoesNotOpenException if a record was altered, or belongs to another document
     */
    public RenderedUpdate opened(SealedData.Open keys) {
        SortedMap<DocumentKey, RenderedRecord> opened = new TreeMap<>(put);
        opened.replaceAll((key, record) -> record.opened(keys));
        return new RenderedUpdate(kind, opened, removed, contentHash, outcome);
    }

    /** The head revision after the step; 0 if there is no outcome. */
    public long revision() {
        return outcome.map(Outcome::revision).orElse(0L);
    }

    /**
     * The revision that published this set: the head after the step, unless the head failed and published nothing. 0 if
     * unknown.
     */
    public long published() {
        return publishing().map(Outcome::revision).orElseGet(() -> {
            long whole = outcome.map(each -> each.published().revision()).orElse(0L);
            return put.values().stream() // a later revision may be published in part
                    .mapToLong(record -> record.headers().revision())
                    .reduce(whole, Math::max);
        });
    }

    /** The outcome, if its change published the set. Empty if it belongs to a later change, which published nothing. */
    public Optional<Outcome> publishing() {
        return outcome.filter(
                each -> each.status() == OutcomeStatus.RENDERED || each.status() == OutcomeStatus.PARTIAL);
    }
}
