package dev.strake.cli.remote;

import dev.strake.cli.option.DocumentLanguage;
import dev.strake.cli.option.KafkaOptions;
import dev.strake.cli.option.KeysetOption;
import dev.strake.cli.option.WorkspaceOption;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.MisconfiguredException;
import dev.strake.engine.tree.Hasher;
import dev.strake.remote.apply.Applied;
import dev.strake.remote.apply.Applier;
import dev.strake.remote.apply.ApplyTarget;
import dev.strake.remote.apply.FileContents;
import dev.strake.remote.apply.FileForm;
import dev.strake.remote.apply.FolderTarget;
import dev.strake.remote.apply.GitRemote;
import dev.strake.remote.apply.GitTarget;
import dev.strake.remote.apply.RemovalRule;
import dev.strake.remote.apply.ReportedFiles;
import dev.strake.remote.apply.ResultTopic;
import dev.strake.remote.apply.UnusableSecretsException;
import dev.strake.remote.apply.kubernetes.ApiServer;
import dev.strake.serdes.change.RemovalLimit;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "apply",
        description = {
            "Keep a folder, a branch of a git repository, or a Kubernetes cluster equal to the rendered documents of "
                    + "a workspace.",
            "",
            "Follows the workspace, a whole revision at a time, until interrupted. Each document is one file, or one "
                    + "object of the cluster. What belongs to others is never touched. What failed is retried.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake apply -w site-a --dir site-a",
            "  strake apply -w site-a --dir site-a --dry-run | less",
            "  strake apply -w site-a --git git@example.org:ops/site-a.git --branch main \\",
            "      --path manifests --content object",
            "  strake apply -w site-a --kubernetes --context site-a --results",
            "",
            "@|bold Environment|@",
            "  STRAKE_GIT_USER, STRAKE_GIT_PASSWORD  for https; a token is a password",
            "",
            "Exit codes of --once: 0 applied, 1 something is held, failed or belongs to others, or no such workspace; "
                    + "of --dry-run: 0 no difference, 1 differences; of both: 5 success, but documents with secrets "
                    + "were omitted, 2 wrong usage, or the target cannot be used, 4 Kafka unreachable.",
        })
public final class ApplyCommand extends TerminalCommand {

    private static final int NAME_DIGITS = 16;

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private KubernetesOptions kubernetes;

    @Mixin
    private KeysetOption keyset;

    @Mixin
    private ResultOptions results;

    @Mixin
    private MetricsOptions metrics;

    @Option(names = "--dir", paramLabel = "DIR", description = "The folder; created if missing.")
    private Optional<Path> dir = Optional.empty();

    @Option(
            names = "--git",
            paramLabel = "URL",
            description = "The git repository (https, ssh, file). One commit for each revision that changes a file.")
    private Optional<String> git = Optional.empty();

    @Option(names = "--branch", paramLabel = "B", description = "The branch; created if missing. With --git.")
    private Optional<String> branch = Optional.empty();

    @Option(
            names = "--path",
            paramLabel = "P",
            description = "A folder in the repository. Default: all of it. With --git.")
    private Optional<String> path = Optional.empty();

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "The copy of the branch; recreated if lost. With --git. Default: below ~/.cache/strake")
    private Optional<Path> state = Optional.empty();

    @Option(
            names = "--content",
            paramLabel = "WHAT",
            defaultValue = "document",
            description = "The content of a file: document (the whole document), data (only its data), or object"
                    + " (its data, if it is a Kubernetes object; other documents have no file). Default:"
                    + " ${DEFAULT-VALUE}")
    private FileContents content;

    @Option(
            names = "--format",
            defaultValue = "yaml",
            description = "How files are written: yaml or json. Default: ${DEFAULT-VALUE}")
    private DocumentLanguage format;

    @Option(
            names = "--cleartext-secrets",
            description = "With --dir: write documents with secrets, too, in clear text, readable only by their "
                    + "owner. Without it they get no file. A git repository never gets them, a cluster always does.")
    private boolean cleartextSecrets;

    @Option(
            names = "--max-removals",
            paramLabel = "N|N%",
            description =
                    "How many files or objects a revision may remove: a number, a percentage, or the larger of both "
                            + "(10,10%%). Beyond that it is held. Default: any number but all.")
    private Optional<RemovalLimit> maxRemovals = Optional.empty();

    @Option(names = "--once", description = "Exit when the target has the current documents.")
    private boolean once;

    @Option(names = "--dry-run", description = "Print what would happen as a diff, change nothing, and end.")
    private boolean dryRun;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long to wait for each answer of Kafka. Default: ${DEFAULT-VALUE}")
    private int timeout;

    @Override
    public Integer call() throws Exception {
        Map<String, String> environment = System.getenv();
        check();
        Duration patience = Duration.ofSeconds(timeout);
        Applier applier = new Applier(
                kafka.settings(environment).cluster(),
                kafka.topicPrefix(),
                workspace.name(),
                patience,
                keyset.opening());
        try (MetricsOptions.Shown shown = metrics.show(terminal)) {
            ApplyMetrics counted = new ApplyMetrics(workspace.name(), report(), shown.registry(), Clock.systemUTC());
            return kubernetes.isWanted()
                    ? kubernetes(applier, counted)
                    : files(environment, applier, counted, shown.isWanted());
        }
    }

    private int files(Map<String, String> environment, Applier applier, ApplyMetrics counted, boolean isCounted)
            throws IOException, InterruptedException {
        FileForm form = new FileForm(content, format.toString(), format::text, cleartextSecrets);
        try (ApplyTarget files = target(environment, form);
                ResultTopic topic =
                        results.open(applier, dryRun, () -> place(environment)).orElse(null)) {
            boolean isReported = isCounted || topic != null;
            return bring(applier, isReported ? new ReportedFiles(files, form, counted.and(topic)) : files, counted);
        }
    }

    /* The default name of a target of files. */
    private String place(Map<String, String> environment) {
        return dir.isPresent()
                ? dir.get().toAbsolutePath().normalize().toString()
                : remote(environment) + path.map(folder -> "/" + folder).orElse("");
    }

    private int kubernetes(Applier applier, ApplyMetrics counted) throws IOException, InterruptedException {
        RemovalRule rule = new RemovalRule(maxRemovals);
        try (ApiServer server = kubernetes.connect(counted::answered);
                ResultTopic topic =
                        results.open(applier, dryRun, server::address).orElse(null);
                ApplyTarget target =
                        kubernetes.target(server, workspace.name(), rule, dryRun, format::text, counted.and(topic))) {
            return bring(applier, target, counted);
        }
    }

    private int bring(Applier applier, ApplyTarget target, ApplyMetrics counted)
            throws IOException, InterruptedException {
        if (once || dryRun) {
            try {
                Applied applied = applier.once(target);
                return dryRun ? report().planned(applied) : report().done(applied);
            } catch (FileSystemException e) {
                throw e;
            } catch (UnusableSecretsException e) {
                throw new MisconfiguredException(e.getMessage(), e);
            } catch (IOException e) { // while following, the applier reports it and retries
                throw new MisconfiguredException(
                        "The target cannot be used: " + ApplyReport.sentence(e.getMessage()), e);
            }
        }
        applier.follow(target, counted);
        return ExitCode.FINE;
    }

    private ApplyReport report() {
        return new ApplyReport(terminal, workspace.name());
    }

    private void check() {
        long targets = Stream.of(dir.isPresent(), git.isPresent(), kubernetes.isWanted())
                .filter(Boolean::booleanValue)
                .count();
        if (targets != 1) {
            throw usage("Missing target. Give either --dir, --git or --kubernetes.");
        }
        kubernetes.mistake().or(results::mistake).ifPresent(mistake -> {
            throw usage(mistake);
        });
        if (git.isPresent() && branch.isEmpty()) {
            throw usage("Which branch? Give --branch.");
        }
        if (git.isEmpty() && (branch.isPresent() || path.isPresent() || state.isPresent())) {
            throw usage("--branch, --path and --state go with --git.");
        }
        if (cleartextSecrets && dir.isEmpty()) {
            throw usage("--cleartext-secrets works only with --dir: a repository would keep secrets forever, and a "
                    + "cluster gets them anyway.");
        }
        if (path.isPresent() && !isFolder(path.get())) {
            throw usage("--path has to be a folder in the repository, such as clusters/a.");
        }
        if (timeout < 1) {
            throw usage("--timeout has to be one second or more.");
        }
    }

    private static boolean isFolder(String path) {
        return Stream.of(path.split("/", -1))
                .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals("..") || part.equals(".git"));
    }

    private ApplyTarget target(Map<String, String> environment, FileForm form) throws IOException {
        RemovalRule rule = new RemovalRule(maxRemovals);
        if (dir.isPresent()) {
            return FolderTarget.open(dir.get(), workspace.name(), form, rule, dryRun);
        }
        GitRemote remote = remote(environment);
        String folder = path.orElse("");
        Path copy = state.orElseGet(() -> defaultState(remote, folder));
        try {
            return GitTarget.open(remote, folder, copy, workspace.name(), form, rule, dryRun, Clock.systemUTC());
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            throw new MisconfiguredException(
                    "The branch %s of %s cannot be used: %s."
                            .formatted(
                                    branch.orElseThrow(),
                                    remote.address(),
                                    e.getMessage().replaceFirst("\\.$", "")),
                    e);
        }
    }

    private GitRemote remote(Map<String, String> environment) {
        try {
            return GitRemote.of(
                    git.orElseThrow(),
                    branch.orElseThrow(),
                    environment.get("STRAKE_GIT_USER"),
                    environment.get("STRAKE_GIT_PASSWORD"));
        } catch (IllegalArgumentException e) {
            throw usage("--git: " + e.getMessage() + ".");
        }
    }

    private Path defaultState(GitRemote remote, String folder) {
        String target = remote + "\n" + folder + "\n" + workspace.name();
        String name = Hasher.hex(target).substring(0, NAME_DIGITS);
        return Path.of(System.getProperty("user.home"), ".cache", "strake", "apply", name);
    }
}
