package dev.strake.cli.local;

import dev.strake.cli.terminal.Terminal;
import dev.strake.client.ChangePublisher;
import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.NewChange;
import dev.strake.client.RenderedDocuments;
import dev.strake.client.RenderedDocuments.Received;
import dev.strake.engine.document.Document;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Shows the main task: a real site is published, one of its global documents changes, and a consumer receives the
 * rendered documents that differ. All figures are measured in this run, by the consumer.
 *
 * @param server a server that is ready and has no workspace yet
 * @param terminal receives the story
 */
public record Demo(LocalServer server, Terminal terminal) {

    private static final String PREFIX = "strake.";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int REPETITIONS = 20;

    /** Runs the demonstration. Returns whether everything rendered. */
    public boolean run() {
        Cluster kafka = Cluster.at(server.bootstrapServers());
        List<Document> documents = BundledSite.documents();
        try (RenderedDocuments rendered = new RenderedDocuments(kafka, PREFIX, BundledSite.NAME, false, PATIENCE);
                ChangePublisher publisher = new ChangePublisher(kafka, PREFIX, BundledSite.NAME, PATIENCE)) {
            Change first = change(publisher, rendered, ChangeType.BUCKET_PUT, documents);
            say("1. The site %s, all of it: %d documents of a real telecom cloud in, %d rendered documents out, %s."
                    .formatted(
                            BundledSite.NAME,
                            first.outcome.documents().total(),
                            first.outcome.work().emitted(),
                            millis(first.nanos)));
            say("");

            Document edited = BundledSite.withImage(documents, "demo-1");
            Change second = change(publisher, rendered, ChangeType.DOCUMENTS_PUT, List.of(edited));
            say("2. One global document changed: %s, at %s.".formatted(edited.id(), BundledSite.changedPath()));
            say("   The change could affect %d documents. %d use what changed and were rendered again."
                    .formatted(
                            second.outcome.work().affected(),
                            second.outcome.work().evaluated()));
            say("   %d of %d rendered documents changed and were published, %s after the change was sent:"
                    .formatted(
                            second.outcome.work().emitted(),
                            second.outcome.published().records(),
                            millis(second.nanos)));
            second.received.stream()
                    .map(received -> received.message().key().document())
                    .forEach(key -> say("      " + key.schema() + "  " + key.name()));
            say("");

            repeat(publisher, rendered, documents);
            return first.isRendered() && second.isRendered();
        }
    }

    private void repeat(ChangePublisher publisher, RenderedDocuments rendered, List<Document> documents) {
        long[] nanos = new long[REPETITIONS];
        for (int i = 0; i < REPETITIONS; i++) {
            Document edited = BundledSite.withImage(documents, "demo-" + (i + 2));
            nanos[i] = change(publisher, rendered, ChangeType.DOCUMENTS_PUT, List.of(edited)).nanos;
        }
        Arrays.sort(nanos);
        say("3. The same %d times more: median %s, best %s, from sending a change to receiving all its results."
                .formatted(REPETITIONS, millis(nanos[REPETITIONS / 2]), millis(nanos[0])));
    }

    /** A change, and the records that a consumer received. */
    private record Change(Outcome outcome, List<Received> received, long nanos) {

        boolean isRendered() {
            return outcome.published().revision() != null
                    && outcome.published().revision().equals(outcome.revision());
        }
    }

    private static Change change(
            ChangePublisher publisher, RenderedDocuments rendered, ChangeType type, List<Document> documents) {
        String id = UUID.randomUUID().toString();
        NewChange change = NewChange.ofBucket(
                BundledSite.NAME,
                id,
                type,
                "default",
                documents.stream().map(Document::tree).toList());
        long begin = System.nanoTime();
        publisher.publish(change);
        Outcome outcome = publisher.await(id, pending -> {});
        List<Received> received = new ArrayList<>();
        while (received.size() < outcome.work().emitted() + outcome.work().removed()) {
            received.addAll(rendered.poll(Duration.ofMillis(200)));
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new KafkaUnavailableException("The rendered documents of change " + id + " did not arrive.");
            }
        }
        return new Change(outcome, received, System.nanoTime() - begin);
    }

    private static String millis(long nanos) {
        return nanos < 10_000_000_000L ? nanos / 1_000_000 + " ms" : nanos / 1_000_000_000 + " s";
    }

    private void say(String line) {
        terminal.print(line);
        terminal.out().flush();
    }
}
