package dev.strake.topology.apply;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Contents;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Emission;
import dev.strake.engine.workspace.Records;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.rendered.ProblemKey;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Publishes the results of a change as records: rendered documents in order of their keys, problems, the outcome. */
final class Publisher {

    private final ProcessorContext<byte[], byte[]> context;

    Publisher(ProcessorContext<byte[], byte[]> context) {
        this.context = context;
    }

    /**
     * Publishes the rendered documents and problems that a revision changed.
     *
     * @param head the workspace before the change
     * @param stored the contents of the new head, for records that an earlier revision held back
     */
    void publish(ChangeEnvelope change, Workspace head, Update update, Contents stored) {
        String said = change.carried().time();
        String time = said == null ? RenderedHeaders.time(change.timestamp()) : said;
        Records records = new Records(update.next(), stored);
        for (Emission emission : update.emissions()) {
            byte[] value = emission.isRemoval()
                    ? null
                    : emission.owner() == null
                            ? record(update, emission.document(), stored)
                            : derivedRecord(update, emission.key(), records);
            boolean secret = value != null && records.isSecret(emission.key());
            publish(change, time, update, emission, value, secret);
        }
        update.problems().forEach((id, problem) -> publish(change, update.next().revision(), id, problem));
        if (!Objects.equals(head.wholeProblem(), update.next().wholeProblem())) {
            Optional<Problem> whole = Optional.ofNullable(update.next().wholeProblem());
            publish(change, update.next().revision(), null, whole);
        }
    }

    private void publish(
            ChangeEnvelope change, String time, Update update, Emission emission, byte[] value, boolean secret) {
        RenderedKey key = new RenderedKey(change.workspace(), emission.key());
        DocumentId owner = emission.owner();
        RenderedHeaders headers = new RenderedHeaders(
                update.next().revision(),
                emission.isRemoval() ? "" : emission.facts().id().layer(),
                emission.isRemoval() ? change.bucket() : emission.facts().bucket(),
                change.changeId(),
                change.carried().source(),
                time,
                change.carried().traceparent(),
                owner == null ? null : owner.schema() + "/" + owner.name(),
                secret,
                change.note().principal());
        forward(
                key.bytes(),
                value,
                change.timestamp(),
                headers.write(key, value == null ? null : RenderedHeaders.contentHash(value)),
                ApplyChange.RENDERED_SINK);
    }

    private static byte[] derivedRecord(Update update, DocumentKey key, Records records) {
        byte[] kept = update.derivedRecords().get(key);
        return kept == null ? JsonBytes.of(records.record(key)) : kept;
    }

    private static byte[] record(Update update, DocumentId id, Contents stored) {
        byte[] kept = update.records().get(id);
        if (kept != null) {
            return kept;
        }
        Edit edit = update.edits().get(id);
        Document document = edit == null ? stored.document(id) : edit.document();
        Value data = update.data().get(id);
        if (data == null) {
            data = update.next().graph().rendersAsPublished(id) ? document.data() : stored.data(id);
        }
        return JsonBytes.of(document.rendered(data));
    }

    private void publish(ChangeEnvelope change, long revision, DocumentId id, Optional<Problem> problem) {
        Headers headers = new RecordHeaders();
        add(headers, HeaderNames.REVISION, Long.toString(revision));
        add(headers, HeaderNames.CHANGE_ID, change.changeId());
        add(headers, HeaderNames.TRACEPARENT, change.carried().traceparent());
        forward(
                new ProblemKey(change.workspace(), id).bytes(),
                problem.map(present -> JsonBytes.of(ProblemJson.write(present))).orElse(null),
                change.timestamp(),
                headers,
                ApplyChange.PROBLEMS_SINK);
    }

    /** Publishes the outcome of a change. This comes last and closes the revision. */
    void answer(Outcome outcome) {
        Carried carried = outcome.change().carried();
        Headers headers = new RecordHeaders();
        add(headers, HeaderNames.CONTENT_TYPE, "application/json");
        add(headers, HeaderNames.CHANGE_ID, outcome.change().id());
        add(headers, HeaderNames.CE_SOURCE, carried.source());
        add(headers, HeaderNames.CE_TIME, carried.time());
        add(headers, HeaderNames.TRACEPARENT, carried.traceparent());
        forward(
                outcome.workspace().getBytes(StandardCharsets.UTF_8),
                OutcomeJson.write(outcome),
                outcome.time().toEpochMilli(),
                headers,
                ApplyChange.OUTCOMES_SINK);
    }

    private void forward(byte[] key, byte[] value, long timestamp, Headers headers, String sink) {
        context.forward(new Record<>(key, value, Math.max(0, timestamp), headers), sink);
    }

    private static void add(Headers headers, String name, String text) {
        if (text != null) {
            headers.add(name, text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
