package dev.strake.cli.question;

import dev.strake.cli.option.KafkaOptions;
import dev.strake.cli.option.KeysetOption;
import dev.strake.cli.option.ListFormat;
import dev.strake.cli.option.QueryOption;
import dev.strake.cli.option.SecretsOption;
import dev.strake.cli.option.UrlOption;
import dev.strake.cli.option.WorkspaceOption;
import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.SelectedParts;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.KafkaWait;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.RenderedDocuments;
import dev.strake.client.RenderedDocuments.Received;
import dev.strake.client.SecretsFromService;
import dev.strake.client.StateClient;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.query.Selection;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.text.YamlOutput;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "watch",
        description = {
            "Print rendered documents as they change.",
            "",
            "Runs until interrupted, or until --count or --timeout is reached. With --query it prints what is "
                    + "selected, and only when that changes.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake watch -w site-a",
            "  strake watch -w site-a --query '$..image' -o table",
            "  strake watch -w site-a --from-beginning -o json | jq -r .name",
            "  strake watch -w site-a -o table --count 1 --timeout 60",
            "  strake watch -w site-a --cleartext-secrets --url https://strake:8080",
            "",
            "With -o json, a line is {workspace, schema, name, layer, bucket, revision, changeId, time, document}; "
                    + "document is null once it has left the rendered set. With --query, selected replaces it: a "
                    + "list of {path, value}.",
            "",
            "With --cleartext-secrets, the keyset decrypts documents that are published encrypted. Those published "
                    + "redacted or with references are read from --url, as of the revision of the record.",
            "",
            "Exit codes: 0 --count or --timeout reached, 4 Kafka unreachable, or --timeout before --count, 130 interrupted.",
        })
public final class WatchCommand extends TerminalCommand {

    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration CATCHING_UP = Duration.ofMinutes(10);

    private static final Value NOTHING = new Selection(List.of(), true).in(MapValue.EMPTY);
    private static final String ROW = "%-20s  %8s  %-8s  %s%n";

    private final Map<DocumentKey, Fingerprint> selected = new HashMap<>();

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private KafkaOptions kafka;

    @Option(names = "--from-beginning", description = "Begin with all current rendered documents.")
    private boolean fromBeginning;

    @Mixin
    private QueryOption query;

    @Mixin
    private SecretsOption secrets;

    @Mixin
    private KeysetOption keyset;

    @Mixin
    private UrlOption url;

    private Optional<SealedData.Open> opening = Optional.empty();
    private Optional<SecretsFromService> service = Optional.empty();
    private boolean isReported;

    @Option(names = "--count", paramLabel = "N", description = "End after this many documents.")
    private Optional<Integer> count = Optional.empty();

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "End after this time.")
    private Optional<Integer> timeout = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "yaml",
            description = "yaml (a stream of documents), json (one to a line) or table. Default: ${DEFAULT-VALUE}")
    private ListFormat format;

    @Override
    public Integer call() {
        long deadline =
                System.nanoTime() + Duration.ofSeconds(timeout.orElse(0)).toNanos();
        Cluster cluster = kafka.settings(System.getenv()).cluster();
        opening = keyset.opening();
        service = secrets.isCleartext() && url.isGiven()
                ? Optional.of(new SecretsFromService(url.client()))
                : Optional.empty();
        boolean isCompared = query.value().isPresent() && !fromBeginning;
        try (RenderedDocuments documents = open(cluster, fromBeginning || isCompared)) {
            printHeadings();
            if (isCompared) {
                documents.readToEnd(CATCHING_UP, received -> isSelectedAnew(received, document(received)));
            }
            if (!RenderedDocuments.isKnown(cluster, kafka.topicPrefix(), workspace.name(), ANSWER)) {
                terminal.say(
                        "strake: workspace %s has no rendered documents yet; waiting. 'strake get workspaces' lists all workspaces."
                                .formatted(workspace.name()));
            }
            return follow(documents, cluster, deadline);
        }
    }

    private RenderedDocuments open(Cluster cluster, boolean isWhole) {
        return KafkaWait.until(
                cluster,
                terminal,
                () -> new RenderedDocuments(cluster, kafka.topicPrefix(), workspace.name(), isWhole, ANSWER));
    }

    private int follow(RenderedDocuments documents, Cluster cluster, long deadline) {
        int printed = 0;
        long heard = System.nanoTime();
        boolean isAway = false;
        // If the reader has gone away (watch ... | head), the stream has an error.
        while (!terminal.out().checkError()) {
            for (Received received : documents.poll(POLL)) {
                heard = System.nanoTime();
                Optional<MapValue> document = document(received);
                if (query.value().isEmpty() || isSelectedAnew(received, document)) {
                    print(received, document);
                    terminal.out().flush();
                    if (++printed == count.orElse(-1)) {
                        return ExitCode.FINE;
                    }
                }
            }
            if (timeout.isPresent() && System.nanoTime() > deadline) {
                return count.isPresent() ? ExitCode.KAFKA_UNAVAILABLE : ExitCode.FINE;
            }
            if (System.nanoTime() - heard > KafkaWait.SILENT.toNanos()) {
                isAway = reportAbsence(isAway, !documents.isAnswered(KafkaWait.SILENT), cluster);
                heard = System.nanoTime();
            }
        }
        return ExitCode.FINE;
    }

    /* A consumer retries by itself and reports nothing, so this reports when Kafka stops answering and answers again. */
    private boolean reportAbsence(boolean wasAway, boolean isAway, Cluster cluster) {
        if (isAway && !wasAway) {
            KafkaWait.report(cluster, terminal);
        } else if (wasAway && !isAway) {
            terminal.say("strake: Kafka answers again.");
        }
        return isAway;
    }

    /* Whether the query selects something else than in the document's previous record. */
    private boolean isSelectedAnew(Received received, Optional<MapValue> document) {
        DocumentKey key = received.message().key().document();
        Value now = selection(document).in(MapValue.EMPTY);
        Fingerprint before = now.equals(NOTHING) ? selected.remove(key) : selected.put(key, now.fingerprint());
        return before == null ? !now.equals(NOTHING) : !before.equals(now.fingerprint());
    }

    private Selection selection(Optional<MapValue> document) {
        return document.map(each -> query.value().orElseThrow().in(each)).orElse(new Selection(List.of(), true));
    }

    /* Returns the document as it is printed. Queries see the same document. */
    private Optional<MapValue> document(Received received) {
        RenderedRecord message = received.message();
        if (message.headers().secrets().data() == null) {
            return message.document().map(secrets.redaction()::rendered);
        }
        RenderedRecord shown = secrets.isCleartext() ? inClear(message) : message;
        boolean isOpen = shown.headers().secrets().data() == null;
        return isOpen ? shown.document() : shown.document().map(Redaction::toBeEncrypted);
    }

    /* Decrypts encrypted secrets with the keyset, and gets secrets that are not in the record from the service. */
    private RenderedRecord inClear(RenderedRecord message) {
        if (!message.isRedacted()) {
            return opening.map(message::opened).orElse(message);
        }
        if (service.isEmpty()) {
            reportOnce(
                    "the records have no secrets in clear text (secret-data: %s); --url reads them from a running Strake"
                            .formatted(message.headers().secrets().data()));
            return message;
        }
        try {
            return service.get().inClear(message);
        } catch (StateClient.NotFoundException e) {
            terminal.say("strake: secrets are not shown: " + e.getMessage());
            return message;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaUnavailableException("The request for secrets was interrupted.", e);
        }
    }

    private void reportOnce(String what) {
        if (!isReported) {
            terminal.say("strake: " + what);
            isReported = true;
        }
    }

    private void printHeadings() {
        if (format == ListFormat.TABLE) {
            terminal.out()
                    .println(terminal.bold(ROW.formatted("TIME", "REVISION", "ACTION", "DOCUMENT")
                            .stripTrailing()));
        }
        terminal.out().flush();
    }

    private void print(Received received, Optional<MapValue> document) {
        PrintWriter out = terminal.out();
        RenderedHeaders headers = received.message().headers();
        boolean removed = received.message().document().isEmpty();
        String action = removed ? "removed" : "rendered";
        switch (format) {
            case JSON -> JsonOutput.printLine(out, json(received, document));
            case YAML -> {
                out.println("# %s %s in revision %d".formatted(name(received), action, headers.revision()));
                if (query.value().isPresent()) {
                    YamlOutput.print(out, selection(document).in(MapValue.EMPTY));
                } else {
                    document.ifPresent(each -> YamlOutput.print(out, each));
                }
            }
            case TABLE -> {
                Instant time = Instant.ofEpochMilli(received.timestamp()).truncatedTo(ChronoUnit.SECONDS);
                out.printf(ROW, time, headers.revision(), action, name(received));
                if (query.value().isPresent()) {
                    selection(document)
                            .parts()
                            .forEach(part ->
                                    out.println("  " + oneLine(part.path() + "  " + SelectedParts.text(part.value()))));
                }
            }
        }
    }

    /* Replaces control characters: a name may contain them, and must not break the line. */
    private static String name(Received received) {
        DocumentKey key = received.message().key().document();
        return oneLine(key.schema() + "/" + key.name());
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }

    private Value json(Received received, Optional<MapValue> document) {
        DocumentKey key = received.message().key().document();
        RenderedHeaders headers = received.message().headers();
        MapValue json = MapValue.builder()
                .put("workspace", received.message().key().workspace())
                .put("schema", key.schema())
                .put("name", key.name())
                .put("layer", headers.layer().isEmpty() ? Null.NULL : new Text(headers.layer()))
                .put("bucket", headers.bucket())
                .put("revision", headers.revision())
                .put("changeId", headers.cause().changeId())
                .put("time", Instant.ofEpochMilli(received.timestamp()).toString())
                .build();
        return query.value().isPresent()
                ? selection(document).in(json)
                : json.with("document", document.map(Value.class::cast).orElse(Null.NULL));
    }
}
