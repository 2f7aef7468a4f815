package dev.strake.checks.chaos;

import static dev.strake.checks.chaos.WorkspaceCheck.place;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Checks the rendered documents of one workspace, revision by revision, as a consumer reads them. */
final class DocumentsCheck {

    private final Verdict verdict;
    private final Deque<ConsumerRecord<byte[], byte[]>> records;
    private final View view = new View();
    private final List<ConsumerRecord<byte[], byte[]>> ofRevision = new ArrayList<>();
    private long whole;

    DocumentsCheck(Verdict verdict, List<ConsumerRecord<byte[], byte[]>> records) {
        this.verdict = verdict;
        this.records = new ArrayDeque<>(records);
    }

    /** Reads the records up to an outcome, and compares them with the outcome. */
    void take(Moment moment) {
        ofRevision.clear();
        while (!records.isEmpty() && revision(records.getFirst()) <= moment.revision()) {
            ConsumerRecord<byte[], byte[]> each = records.removeFirst();
            if (revision(each) < moment.revision() || !moment.isRevision()) {
                verdict.broke(
                        Promise.WHOLE,
                        "%s: the record at %s is of revision %d, whose outcome came before"
                                .formatted(moment, place(each), revision(each)));
            }
            checkHash(moment, each);
            view.take(RenderedKey.of(each.key()).document(), each.value());
            ofRevision.add(each);
        }
        checkCounts(moment);
        checkView(moment);
        checkHeld(moment);
        verdict.looked(Promise.WHOLE, "outcomes");
    }

    private void checkHash(Moment moment, ConsumerRecord<byte[], byte[]> record) {
        String expected = record.value() == null ? null : RenderedHeaders.contentHash(record.value());
        if (!Objects.equals(expected, History.header(record, HeaderNames.CONTENT_HASH))) {
            verdict.broke(
                    Promise.WHOLE,
                    "%s: the record at %s is not what its hash stands for".formatted(moment, place(record)));
        }
    }

    private void checkCounts(Moment moment) {
        Outcome outcome = moment.outcome();
        long removed = ofRevision.stream().filter(each -> each.value() == null).count();
        long emitted = ofRevision.size() - removed;
        if (emitted != outcome.work().emitted() || removed != outcome.work().removed()) {
            verdict.broke(
                    Promise.WHOLE,
                    "%s says %d emitted and %d removed, %d and %d records seen"
                            .formatted(
                                    moment,
                                    outcome.work().emitted(),
                                    outcome.work().removed(),
                                    emitted,
                                    removed));
        }
    }

    private void checkView(Moment moment) {
        Outcome outcome = moment.outcome();
        if (view.size() != outcome.published().records()
                || !view.hash().equals(outcome.published().contentHash())) {
            verdict.broke(
                    Promise.WHOLE,
                    "%s says %d documents with hash %s, a consumer holds %d with %s"
                            .formatted(
                                    moment,
                                    outcome.published().records(),
                                    outcome.published().contentHash(),
                                    view.size(),
                                    view.hash()));
        }
    }

    private void checkHeld(Moment moment) {
        if (moment.isRevisionThatIs(OutcomeStatus.FAILED) && !ofRevision.isEmpty()) {
            verdict.broke(
                    Promise.HELD,
                    "%s: the revision failed, and the record at %s is of it"
                            .formatted(moment, place(ofRevision.get(0))));
        }
        whole = moment.isRevisionThatIs(OutcomeStatus.RENDERED) ? moment.revision() : whole;
        Long told = moment.outcome().published().revision();
        if (!Objects.equals(told, whole == 0 ? null : Long.valueOf(whole))) {
            verdict.broke(
                    Promise.HELD,
                    "%s has renderedRevision %s, the last one that rendered as a whole is %s"
                            .formatted(moment, told, whole == 0 ? "none" : whole));
        }
        verdict.looked(Promise.HELD, "outcomes");
    }

    /** Compares the view of consumers after a revision that published documents. */
    void compare(FullRendering full, Moment moment) {
        Set<DocumentKey> held = moment.isRevisionThatIs(OutcomeStatus.PARTIAL) ? full.inTrouble() : Set.of();
        for (ConsumerRecord<byte[], byte[]> each : ofRevision) {
            if (held.contains(RenderedKey.of(each.key()).document())) {
                verdict.broke(
                        Promise.HELD,
                        "%s: the record at %s is of a document in trouble".formatted(moment, place(each)));
            }
        }
        for (DocumentKey key : view.documents().keySet()) {
            if (!full.rendered().containsKey(key) && !held.contains(key)) {
                verdict.broke(
                        Promise.REMOVED,
                        "%s: %s has left the rendered set, and no tombstone came".formatted(moment, key));
            }
            verdict.looked(Promise.REMOVED, "documents");
        }
        full.rendered().forEach((key, tree) -> {
            byte[] value = view.documents().get(key);
            if (value == null || !JsonReader.read(value).equals(tree)) {
                verdict.broke(
                        Promise.EQUAL,
                        "%s: %s %s"
                                .formatted(
                                        moment,
                                        key,
                                        value == null ? "is not published" : "is published as something else"));
            }
        });
        compareBytes(full.rendered(), moment);
    }

    /*
     * Compares only records of this revision. A different order of keys is no reason to publish a document, so other
     * documents keep their published bytes, which were compared then.
     */
    private void compareBytes(Map<DocumentKey, MapValue> rendered, Moment moment) {
        for (ConsumerRecord<byte[], byte[]> each : ofRevision) {
            MapValue tree = rendered.get(RenderedKey.of(each.key()).document());
            if (tree != null && each.value() != null && !Arrays.equals(each.value(), JsonBytes.of(tree))) {
                verdict.broke(
                        Promise.EQUAL,
                        "%s: the record at %s has other bytes than its document renders to"
                                .formatted(moment, place(each)));
            }
        }
    }

    /** Reports records without an outcome. */
    void end() {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            verdict.broke(
                    Promise.WHOLE,
                    "no outcome belongs to the record of revision %d at %s".formatted(revision(record), place(record)));
        }
    }

    /** Returns the revision that published a record; 0 if the header is missing. */
    static long revision(ConsumerRecord<byte[], byte[]> record) {
        String text = History.header(record, HeaderNames.REVISION);
        return text == null ? 0 : Long.parseLong(text);
    }
}
