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
 * One step from one rendered set of a workspace to the next: never a part of a revision.
 *
 * @param kind how the step is to be taken
 * @param put documents that are new or differ, by schema and name; all documents of the set if it is no revision
 * @param removed documents that have left the set; empty if the step is no revision
 * @param contentHash hash of the whole set after the step, as the outcome tells it and as it was worked out from the
 *     records
 * @param outcome the outcome whose set this is; empty if the topic no longer has one, see {@link Kind#SNAPSHOT}
 */
public record RenderedUpdate(
        Kind kind,
        SortedMap<DocumentKey, RenderedRecord> put,
        Set<DocumentKey> removed,
        String contentHash,
        Optional<Outcome> outcome) {

    /** How a step is to be taken. */
    public enum Kind {

        /**
         * The set as a whole: documents that are not in it are gone. Comes first. The topic of outcomes forgets; if it
         * has none of this workspace any more, nobody can tell whether the set is complete, and {@code outcome} is empty.
         */
        SNAPSHOT,

        /** What one revision changed, or several of which the topic no longer has every record. */
        REVISION,

        /**
         * The set as a whole, once more: what was published since the last step is not there any more, because the topic
         * was compacted or created anew in the meantime.
         */
        COMPACTED
    }

    public RenderedUpdate {
        put = Collections.unmodifiableSortedMap(new TreeMap<>(put));
        removed = Set.copyOf(removed);
    }

    /**
     * The same update with secrets in clear that were published encrypted. They are known to be secret: see
     * {@code Value.isSecret}, and {@code Redaction}, which hides them again.
     *
     * @param keys such as {@code keyset.opening(Purpose.OUTPUT)} of {@code dev.strake.serdes.keyset}
     * @throws dev.strake.serdes.secret.SecretKeyNotFoundException if a key is not here
     * @throws dev.strake.serdes.secret.DoesNotOpenException if a record was changed, or belongs to another document
     */
    public RenderedUpdate opened(SealedData.Open keys) {
        SortedMap<DocumentKey, RenderedRecord> opened = new TreeMap<>(put);
        opened.replaceAll((key, record) -> record.opened(keys));
        return new RenderedUpdate(kind, opened, removed, contentHash, outcome);
    }

    /** The head revision after the step; 0 if no outcome tells it. */
    public long revision() {
        return outcome.map(Outcome::revision).orElse(0L);
    }

    /**
     * The revision whose set this is: the head after the step, unless that failed and published nothing; 0 if nothing tells
     * it.
     */
    public long published() {
        return publishing().map(Outcome::revision).orElseGet(() -> {
            long whole = outcome.map(each -> each.published().revision()).orElse(0L);
            return put.values().stream() // one of which a part was published may be later
                    .mapToLong(record -> record.headers().revision())
                    .reduce(whole, Math::max);
        });
    }

    /** The outcome, if its change published the set; that of a later change may stand in its place. */
    public Optional<Outcome> publishing() {
        return outcome.filter(
                each -> each.status() == OutcomeStatus.RENDERED || each.status() == OutcomeStatus.PARTIAL);
    }
}
