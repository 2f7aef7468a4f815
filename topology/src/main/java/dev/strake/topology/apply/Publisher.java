package dev.strake.topology.apply;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.RecordForm;
import dev.strake.engine.render.RecordJson;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Emission;
import dev.strake.engine.workspace.Records;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TimeText;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.rendered.ProblemKey;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.rendered.SecretHeaders;
import dev.strake.serdes.secret.SecretsOutput;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Publishes the results of a change as records: rendered documents in order of keys, problems, the outcome. */
final class Publisher {

    /** A tombstone. */
    private static final RecordJson REMOVED = new RecordJson(null, SecretPlaces.NONE);

    private final ProcessorContext<byte[], byte[]> context;
    private final boolean cleartextTopic;

    /**
     * @param cleartextTopic whether the topic of secrets in clear text exists
     */
    Publisher(ProcessorContext<byte[], byte[]> context, boolean cleartextTopic) {
        this.context = context;
        this.cleartextTopic = cleartextTopic;
    }

    /**
     * Publishes the rendered documents and problems that a revision changed.
     *
     * @param head the workspace before the change
     * @param stored the contents of the new head, for records that an earlier revision held back
     * @param form the form of records with secrets
     */
    void publish(ChangeEnvelope change, Workspace head, Update update, Contents stored, RecordForm form) {
        String said = change.carried().time();
        String time = said == null ? TimeText.of(change.timestamp()) : said;
        Records records = new Records(update.next(), stored);
        for (Emission emission : update.emissions()) {
            Supplier<MapValue> document = () -> emission.owner() == null
                    ? document(update, emission.document(), stored)
                    : records.record(emission.key());
            RecordJson record = emission.isRemoval() ? REMOVED : kept(update, emission);
            if (record == null) {
                record = formed(emission.key(), document.get(), form).json();
            }
            boolean secret = !record.places().isEmpty();
            String data = secret ? SecretsOutput.ofData(form.name()) : null;
            publish(change, time, update, emission, record, data, ApplyChange.RENDERED_SINK);
            boolean inClear = secret && SecretsOutput.isInCleartext(form.name());
            if (cleartextTopic && (inClear || SecretsOutput.isInCleartext(emission.before()))) {
                RecordJson clear = inClear ? new RecordJson(JsonBytes.of(document.get()), record.places()) : REMOVED;
                publish(change, time, update, emission, clear, null, ApplyChange.CLEARTEXT_SINK);
            }
        }
        update.problems().forEach((id, problem) -> publish(change, update.next().revision(), id, problem));
        if (!Objects.equals(head.wholeProblem(), update.next().wholeProblem())) {
            Optional<Problem> whole = Optional.ofNullable(update.next().wholeProblem());
            publish(change, update.next().revision(), null, whole);
        }
    }

    private void publish(
            ChangeEnvelope change,
            String time,
            Update update,
            Emission emission,
            RecordJson record,
            String secretData,
            String sink) {
        byte[] value = record.json();
        RenderedKey key = new RenderedKey(change.workspace(), emission.key());
        DocumentId owner = emission.owner();
        RenderedHeaders headers = new RenderedHeaders(
                update.next().revision(),
                value == null ? "" : emission.facts().id().layer(),
                value == null ? change.bucket() : emission.facts().bucket(),
                owner == null ? null : owner.schema() + "/" + owner.name(),
                new RenderedHeaders.Cause(
                        change.changeId(),
                        change.carried().source(),
                        time,
                        change.carried().traceparent(),
                        change.note().principal()),
                SecretHeaders.of(record.places(), secretData));
        forward(
                key.bytes(),
                value,
                change.timestamp(),
                headers.write(key, value == null ? null : RenderedHeaders.contentHash(value)),
                sink);
    }

    private static RecordForm.Formed formed(DocumentKey key, MapValue document, RecordForm form) {
        return (document.get("data").hasSecrets() ? form : RecordForm.CLEAR).of(key, document);
    }

    /* The record as rendered; null if the update had no room to keep it. */
    private static RecordJson kept(Update update, Emission emission) {
        return emission.owner() == null
                ? update.results().records().get(emission.document())
                : update.derived().records().get(emission.key());
    }

    /* The document in clear text. */
    private static MapValue document(Update update, DocumentId id, Contents stored) {
        Edit edit = update.edits().get(id);
        Document document = edit == null ? stored.document(id) : edit.document();
        Value data = update.results().data().get(id);
        if (data == null) {
            data = update.next().graph().rendersAsPublished(id) ? document.data() : stored.data(id);
        }
        return document.rendered(data);
    }

    private void publish(ChangeEnvelope change, long revision, DocumentId id, Optional<Problem> problem) {
        Headers headers = new RecordHeaders();
        HeaderNames.add(headers, HeaderNames.REVISION, Long.toString(revision));
        HeaderNames.add(headers, HeaderNames.CHANGE_ID, change.changeId());
        HeaderNames.add(headers, HeaderNames.TRACEPARENT, change.carried().traceparent());
        forward(
                new ProblemKey(change.workspace(), id).bytes(),
                problem.map(present -> JsonBytes.of(ProblemJson.write(present))).orElse(null),
                change.timestamp(),
                headers,
                ApplyChange.PROBLEMS_SINK);
    }

    /** Publishes the outcome of a change, as the last record of the revision. */
    void answer(Outcome outcome) {
        Carried carried = outcome.change().carried();
        Headers headers = new RecordHeaders();
        HeaderNames.add(headers, HeaderNames.CONTENT_TYPE, "application/json");
        HeaderNames.add(headers, HeaderNames.CHANGE_ID, outcome.change().id());
        HeaderNames.add(headers, HeaderNames.CE_SOURCE, carried.source());
        HeaderNames.add(headers, HeaderNames.CE_TIME, carried.time());
        HeaderNames.add(headers, HeaderNames.TRACEPARENT, carried.traceparent());
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
}
