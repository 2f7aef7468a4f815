package dev.strake.cli.command;

import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.YamlOutput;
import dev.strake.client.RenderedDocuments;
import dev.strake.client.RenderedDocuments.Received;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.rendered.RenderedHeaders;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        description = {
            "Print rendered documents as they change.",
            "",
            "Goes on until it is interrupted, or until --count or --timeout end it.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake watch -w site-a",
            "  strake watch -w site-a --from-beginning -o json | jq -r '.schema + \"/\" + .name'",
            "  strake watch -w site-a -o table --count 1 --timeout 60",
            "",
            "As JSON, a line is {workspace, schema, name, layer, bucket, revision, changeId, time, document}; the "
                    + "document is null when it has left the rendered set.",
            "",
            "Exit codes: 0 --count or --timeout reached, 4 Kafka unreachable, or --timeout before --count, 130 interrupted.",
        })
final class WatchCommand implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final String ROW = "%-24s  %8s  %-8s  %9s  %s%n";

    private final Terminal terminal;

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private KafkaOptions kafka;

    @Option(names = "--from-beginning", description = "Begin with all rendered documents that there are.")
    private boolean fromBeginning;

    @Option(names = "--count", paramLabel = "N", description = "End after this many documents.")
    private Optional<Integer> count = Optional.empty();

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "End after this time.")
    private Optional<Integer> timeout = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "yaml",
            description = "yaml (a stream of documents), json (one to a line) or table. Default: ${DEFAULT-VALUE}")
    private Format format;

    enum Format {
        YAML,
        JSON,
        TABLE
    }

    WatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        long deadline =
                System.nanoTime() + Duration.ofSeconds(timeout.orElse(0)).toNanos();
        int printed = 0;
        try (RenderedDocuments documents = new RenderedDocuments(
                kafka.settings(System.getenv()).cluster(),
                kafka.topicPrefix(),
                workspace.name(),
                fromBeginning,
                ANSWER)) {
            if (format == Format.TABLE) {
                String headings = ROW.formatted("TIME", "REVISION", "ACTION", "BYTES", "DOCUMENT")
                        .stripTrailing();
                terminal.out().println(terminal.styled("bold", headings));
            }
            terminal.out().flush();
            // A reader that went away (watch ... | head) shows as an error of the stream.
            while (!terminal.out().checkError()) {
                for (Received received : documents.poll(POLL)) {
                    print(received);
                    terminal.out().flush();
                    if (++printed == count.orElse(-1)) {
                        return ExitCode.FINE;
                    }
                }
                if (timeout.isPresent() && System.nanoTime() > deadline) {
                    return count.isPresent() ? ExitCode.KAFKA_UNAVAILABLE : ExitCode.FINE;
                }
            }
        }
        return ExitCode.FINE;
    }

    private void print(Received received) {
        PrintWriter out = terminal.out();
        DocumentKey key = received.message().key().document();
        RenderedHeaders headers = received.message().headers();
        // A name may hold any character, and this one must not end a line.
        String name = (key.schema() + "/" + key.name()).replaceAll("\\p{Cntrl}", " ");
        boolean removed = received.message().document().isEmpty();
        switch (format) {
            case JSON -> JsonOutput.printLine(out, json(received));
            case YAML -> {
                String what = removed ? "removed" : "rendered";
                out.println("# %s %s in revision %d".formatted(name, what, headers.revision()));
                received.message().document().ifPresent(document -> YamlOutput.print(out, document));
            }
            case TABLE ->
                out.printf(
                        ROW,
                        Instant.ofEpochMilli(received.timestamp()),
                        headers.revision(),
                        removed ? "removed" : "rendered",
                        received.bytes(),
                        name);
        }
    }

    private static Value json(Received received) {
        DocumentKey key = received.message().key().document();
        RenderedHeaders headers = received.message().headers();
        return MapValue.builder()
                .put("workspace", new Text(received.message().key().workspace()))
                .put("schema", new Text(key.schema()))
                .put("name", new Text(key.name()))
                .put("layer", headers.layer().isEmpty() ? Null.NULL : new Text(headers.layer()))
                .put("bucket", new Text(headers.bucket()))
                .put("revision", Num.of(headers.revision()))
                .put("changeId", new Text(headers.changeId()))
                .put("time", new Text(Instant.ofEpochMilli(received.timestamp()).toString()))
                .put(
                        "document",
                        received.message().document().map(Value.class::cast).orElse(Null.NULL))
                .build();
    }
}
