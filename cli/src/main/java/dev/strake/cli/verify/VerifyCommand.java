package dev.strake.cli.verify;

import dev.strake.cli.option.ClusterOptions;
import dev.strake.cli.option.ListFormatOption;
import dev.strake.cli.option.SettingOptions;
import dev.strake.cli.option.UrlOption;
import dev.strake.cli.option.WorkspaceOption;
import dev.strake.cli.output.Counted;
import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.Table;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.cli.verify.VerifyResult.Difference;
import dev.strake.serdes.text.YamlOutput;
import dev.strake.server.access.InstallationKeys;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Setting;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.WorkSettings;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "verify",
        description = {
            "Recompute a workspace from scratch, and compare it with what consumers hold.",
            "",
            "Renders the documents that the stores hold, and reads the rendered documents from their topic as a "
                    + "consumer does. Changes nothing. A difference counts if it appears twice at the same revision; "
                    + "while changes arrive, verify waits. If the limits of the pipeline are not the defaults, give "
                    + "them with --config or --set.",
        },
        footer = {
            "",
            "A document is missing (consumers do not hold it), unexpected (it does not belong there), differs, is "
                    + "unreadable (no record of a rendered document), or unexplained (would be refused now). Values are "
                    + "never printed.",
            "",
            "@|bold Examples|@",
            "  strake verify -w site-a",
            "  strake verify -w site-a -o json | jq -r '.differences[].name'",
            "  strake verify -w site-a --bootstrap-servers kafka:9092 \\",
            "      --url http://strake:8080 --config strake.properties",
            "",
            "Exit codes: 0 equal, 1 differences, or nothing to compare with, 2 secrets without --secrets-keyset, 4 Kafka or "
                    + "Strake unreachable, or no quiet moment within --timeout.",
        })
public final class VerifyCommand extends TerminalCommand {

    public static final List<Setting<?>> OPTIONS = List.of(Catalogue.TOPIC_PREFIX, Catalogue.SECRETS_KEYSET);

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private UrlOption url;

    @Mixin
    private SettingOptions settings;

    private int timeout;

    @Mixin
    private ListFormatOption format;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long everything may take together. Default: ${DEFAULT-VALUE}")
    void setTimeout(int seconds) {
        if (seconds < 1) {
            throw usage("--timeout has to be at least 1 second.");
        }
        timeout = seconds;
    }

    @Override
    public Integer call() throws InterruptedException {
        Duration patience = Duration.ofSeconds(timeout);
        Settings given = settings.settings(System.getenv());
        VerifyResult verdict;
        try (InstallationKeys keys = InstallationKeys.of(given)) {
            Verification verification = new Verification(
                    cluster.settings(System.getenv()),
                    workspace.name(),
                    WorkSettings.of(given, 1).withSecrets(WorkSettings.secrets(given, keys, false)),
                    patience);
            verdict = verification.verdict(url.client(patience), terminal);
        } catch (UnverifiableException e) {
            terminal.say(e.getMessage());
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        switch (format.value()) {
            case JSON -> JsonOutput.printLine(terminal.out(), verdict.json());
            case YAML -> YamlOutput.print(terminal.out(), verdict.json());
            case TABLE -> print(verdict);
        }
        return verdict.isEqual() ? ExitCode.FINE : ExitCode.DIFFERENT_OR_INVALID;
    }

    private void print(VerifyResult verdict) {
        VerifyResult.Hashes hashes = verdict.hashes();
        String failed = verdict.head() == verdict.revision() ? "" : ", head %d failed".formatted(verdict.head());
        if (verdict.isEqual()) {
            String held = verdict.inTrouble() == 0 ? "" : ", %d in trouble".formatted(verdict.inTrouble());
            terminal.print("equal: %s%s, revision %d%s, content hash %s"
                    .formatted(
                            Counted.of(verdict.documents(), "document"),
                            held,
                            verdict.revision(),
                            failed,
                            hashes.topic()));
            return;
        }
        if (!verdict.differences().isEmpty()) {
            Table table = new Table("DIFFERENCE", "SCHEMA", "NAME", "RECORD");
            for (Difference each : verdict.differences()) {
                table.add(each.kind().text(), each.schema(), each.name(), each.record());
            }
            table.print(terminal);
        }
        if (!hashes.agree()) {
            terminal.print("content hash: topic %s, stores %s, last outcome %s"
                    .formatted(hashes.topic(), hashes.stores(), orDash(hashes.outcome())));
        }
        terminal.say("%s in documents at revision %d%s"
                .formatted(Counted.of(verdict.differences().size(), "difference"), verdict.revision(), failed));
    }

    private static String orDash(String text) {
        return text == null ? "-" : text;
    }
}
