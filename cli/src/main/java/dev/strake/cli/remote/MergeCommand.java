package dev.strake.cli.remote;

import dev.strake.cli.files.JsonLines;
import dev.strake.cli.files.PlainYaml;
import dev.strake.cli.output.ChangedValue;
import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.Lower;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.PlaceChange;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.apply.patch.MergeAnswers;
import dev.strake.remote.object.KubernetesObject;
import dev.strake.serdes.text.PlainFile;
import dev.strake.serdes.text.UnreadableTextException;
import dev.strake.serdes.text.YamlOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "merge",
        description = {
            "Print how an applier would change a live Kubernetes object, without a cluster.",
            "",
            "The modes are those of Razee's RemoteResource: Apply (the default, also MergePatch), "
                    + "StrategicMergePatch, AdditiveMergePatch and EnsureExists. With merge-patch and "
                    + "strategic-merge-patch, DESIRED is only a patch.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  kubectl get deployment api -o yaml | strake merge api.yaml --live -",
            "  strake merge api.yaml --live live.yaml --last-applied old.yaml -o diff",
            "  strake merge api.yaml --live live.yaml --mode StrategicMergePatch",
            "  strake merge --requests questions.jsonl > answers.jsonl",
            "",
            "Exit codes: 0 done (-o diff: no difference), 1 refused or failed (-o diff: differences; --requests: an answer is "
                    + "an error), 2 wrong usage.",
        })
public final class MergeCommand extends TerminalCommand {

    /** The forms in which the result is printed. */
    enum Format {
        YAML,
        JSON,
        DIFF;

        @Override
        public String toString() {
            return Lower.name(this);
        }
    }

    @Parameters(paramLabel = "DESIRED", arity = "0..1", description = "The document to apply, as YAML or JSON; or -.")
    private Optional<String> desired = Optional.empty();

    @Option(
            names = "--live",
            paramLabel = "LIVE",
            description =
                    "The object in the cluster, or -. Without it, the object does not exist and would be created.")
    private Optional<String> live = Optional.empty();

    @Option(
            names = "--last-applied",
            paramLabel = "FILE",
            description = "The document that was applied last; by default the annotation of the live object.")
    private Optional<String> lastApplied = Optional.empty();

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "By default the label deploy.razee.io/mode of DESIRED.")
    private Optional<String> mode = Optional.empty();

    @Option(
            names = "--parent",
            paramLabel = "PATH",
            description = "The owner that applies it, as its path in the API. Default: the current owner.")
    private Optional<String> parent = Optional.empty();

    @Option(
            names = "--parent-alive",
            paramLabel = "PATH",
            description = "Another owner that still exists; its objects are left alone.")
    private List<String> parentsAlive = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description =
                    "yaml (default) for the object, json with the request that would be sent, diff for what changes.")
    private Format format = Format.YAML;

    @Option(
            names = "--requests",
            paramLabel = "FILE",
            description = "Answer many requests, one JSON object per line; or -.")
    private Optional<String> requests = Optional.empty();

    @Override
    public Integer call() throws IOException {
        if (requests.isPresent() == desired.isPresent()) {
            throw usage("Either DESIRED or --requests FILE has to be given.");
        }
        if (mode.isPresent() && !MergeAnswers.isMode(mode.get())) {
            throw usage("There is no mode '%s': the modes are %s.".formatted(mode.get(), MergeAnswers.MODES));
        }
        if (desired.isPresent()) {
            return one();
        }
        if (live.isPresent() || lastApplied.isPresent() || mode.isPresent() || parent.isPresent()) {
            throw usage(
                    "--requests cannot be combined with --live, --last-applied, --mode and --parent: each request has its "
                            + "own.");
        }
        if (requests.get().equals("-")) {
            return many(terminal.in());
        }
        try (InputStream in = Files.newInputStream(PlainFile.of(Path.of(requests.get())))) {
            return many(in);
        }
    }

    /* Prints an answer for each line that is not blank, in order, even if the line is invalid. */
    private int many(InputStream in) throws IOException {
        JsonLines lines = new JsonLines(in);
        int code = ExitCode.FINE;
        for (JsonLines.Line line = lines.next(); line != null; line = lines.next()) {
            MapValue answer = line.mistake() == null
                    ? MergeAnswers.answer(line.value())
                    : MergeAnswers.refused(Null.NULL, line.mistake());
            if (answer.get("error") instanceof MapValue error) {
                answer = answer.with("error", error.with("line", line.number()));
                code = ExitCode.DIFFERENT_OR_INVALID;
            }
            JsonOutput.printLine(terminal.out(), answer);
            terminal.out().flush(); // the client may wait for it before its next request
        }
        return code;
    }

    private int one() throws IOException {
        PlainYaml files = new PlainYaml(terminal.in());
        MapValue question = MapValue.EMPTY;
        try {
            question = question.with("desired", files.read(desired.get()).value());
            if (live.isPresent()) {
                question = question.with("live", files.read(live.get()).value());
            }
            if (lastApplied.isPresent()) {
                question = question.with(
                        "lastApplied", files.read(lastApplied.get()).value());
            }
        } catch (UnreadableTextException e) {
            terminal.say(e.problem().describe());
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        if (question.get("desired") instanceof Null) {
            terminal.say(desired.get() + ": there is no document in it.");
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        question = mode.isPresent() ? question.with("mode", mode.get()) : question;
        question = parent.isPresent() ? question.with("parent", parent.get()) : question;
        question = question.with(
                "parents_alive",
                ListValue.of(parentsAlive.stream().map(Text::new).toList()));
        return print(question, MergeAnswers.answer(question).without("id"));
    }

    private int print(MapValue question, MapValue answer) {
        Value before = question.get("live") instanceof Null ? null : question.get("live");
        if (format == Format.JSON) {
            JsonOutput.printLine(terminal.out(), answer);
        }
        if (answer.get("error") instanceof MapValue error) {
            String place = error.has("path") ? " at " + error.text("path") : "";
            terminal.say(error.text("kind") + place + ": " + error.text("message"));
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        Value after = answer.get("object");
        switch (format) {
            case YAML -> YamlOutput.printAlone(terminal.out(), after);
            case DIFF -> {
                List<PlaceChange> changes = PlaceChange.between(before, after);
                changes.forEach(this::print);
                return changes.isEmpty() ? ExitCode.FINE : ExitCode.DIFFERENT_OR_INVALID;
            }
            case JSON -> {
                // printed above, even for errors
            }
        }
        return remark(question, answer);
    }

    private int remark(MapValue question, MapValue answer) {
        boolean refused = answer.text("action").equals("refused-other-parent");
        if (refused) {
            terminal.say("The object belongs to another owner, who still exists: it would be left alone.");
        } else if (answer.get("request") instanceof MapValue request
                && request.text("method").equals("PATCH")
                && keepsHistory((MapValue) request.get("body"))
                && !question.has("lastApplied")
                && !keepsHistory((MapValue) question.get("live"))) {
            terminal.say(
                    "The last applied object is not known, so nothing would be removed. Give it with --last-applied.");
        }
        return refused ? ExitCode.DIFFERENT_OR_INVALID : ExitCode.FINE;
    }

    private static boolean keepsHistory(MapValue object) {
        return new KubernetesObject(object).lastApplied().isPresent();
    }

    private void print(PlaceChange change) {
        terminal.print(terminal.styled("bold", "@ " + change.place()));
        ChangedValue.lines(change.before(), change.after())
                .forEach(line -> terminal.print(ChangedValue.coloured(terminal, line)));
    }
}
