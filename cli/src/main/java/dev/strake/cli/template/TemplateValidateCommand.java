package dev.strake.cli.template;

import dev.strake.cli.files.JsonLines;
import dev.strake.cli.option.ListFormat;
import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.engine.problem.Location;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.heat.AnswerJson;
import dev.strake.heat.Findings;
import dev.strake.heat.TemplateRequestJson;
import dev.strake.heat.source.Fault;
import dev.strake.heat.source.FaultException;
import dev.strake.heat.template.TemplateAnswer;
import dev.strake.heat.template.TemplateRequest;
import dev.strake.heat.template.TemplateValidator;
import dev.strake.heat.template.TreeLimits;
import dev.strake.serdes.text.PlainFile;
import dev.strake.serdes.text.YamlOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "template-validate",
        description = {
            "Validate a Heat template and all templates nested in it, without Heat and without Kafka.",
            "",
            "Prints the parameters of the template in the form of Heat's response; with --show-nested also those of "
                    + "nested templates. Errors go to stderr with file and line. Values of hidden parameters are "
                    + "masked.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake template-validate -t top.yaml -e env.yaml --show-nested",
            "  strake template-validate -t top.yaml --stub-environment > missing.yaml",
            "  strake template-validate --requests requests.jsonl > answers.jsonl",
            "",
            "Exit codes: 0 valid, 1 invalid, 2 wrong usage.",
        })
public final class TemplateValidateCommand extends TerminalCommand {

    @Option(
            names = {"-t", "-f", "--template", "--template-file"},
            paramLabel = "FILE",
            description = "The template.")
    private String template;

    @Option(
            names = {"-e", "--environment", "--environment-file"},
            paramLabel = "FILE",
            description = "An environment; several are merged in their order.")
    private List<String> environments = new ArrayList<>();

    @Option(
            names = {"-P", "--parameter", "--parameters"},
            paramLabel = "NAME=VALUE",
            description = "A value for a parameter, or several separated by ;. A name given twice becomes a list. "
                    + "Environments win.")
    private List<String> parameters = new ArrayList<>();

    @Option(
            names = {"-n", "--show-nested"},
            description = "Print the parameters of nested templates, too.")
    private boolean showNested;

    @ArgGroup
    private Mode mode = new Mode();

    /** How much to check. */
    static final class Mode {

        @Option(names = "--deep", description = "Check everything at every depth, and report all faults. The default.")
        private boolean deep;

        @Option(
                names = "--as-heat",
                description = "Check only what Heat's own call checks, which is little below the first level; stop at "
                        + "the first error.")
        private boolean asHeat;
    }

    @Option(
            names = "--ignore-errors",
            split = ",",
            paramLabel = "CODES",
            description = "Codes of errors to ignore, as in Heat, which knows only 99001.")
    private List<String> ignoreErrors = new ArrayList<>();

    @Option(
            names = "--max-nested-depth",
            paramLabel = "N",
            defaultValue = "5",
            description = "How deep stacks may nest. Default: ${DEFAULT-VALUE}, as in Heat.")
    private int nesting;

    @Option(
            names = "--max-resources",
            paramLabel = "N",
            defaultValue = "1000",
            description =
                    "How many resources a template may have, -1 for any number. Default: ${DEFAULT-VALUE}, as in Heat.")
    private int resources;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "yaml",
            description = "yaml, json or table. Default: ${DEFAULT-VALUE}.")
    private ListFormat format;

    @Option(
            names = "--details",
            description =
                    "Also print what Heat does not report: parameters that need a value, where each value comes from, "
                            + "what blocks what, and what is unused.")
    private boolean details;

    @Option(names = "--show-hidden", description = "Print the values of hidden parameters, as Heat does.")
    private boolean showHidden;

    @Option(
            names = "--stub-environment",
            description = "Print an environment with every parameter that needs a value instead.")
    private boolean stub;

    @Option(
            names = "--requests",
            paramLabel = "FILE",
            description = "Answer many requests: one JSON object a line, or - for the standard input.")
    private String requests;

    @Override
    public Integer call() throws IOException {
        if ((template == null) == (requests == null)) {
            throw usage("Either --template FILE or --requests FILE has to be given.");
        }
        if (nesting < 0) {
            throw usage("--max-nested-depth has to be at least 0.");
        }
        return requests == null ? one() : many();
    }

    private TemplateRequest.Mode how() {
        return mode.asHeat && !mode.deep ? TemplateRequest.Mode.AS_HEAT : TemplateRequest.Mode.DEEP;
    }

    private TreeLimits limits() {
        return TreeLimits.DEFAULT.nesting(nesting).resources(resources);
    }

    private int one() throws IOException {
        MapValue given = given();
        TemplateFiles files;
        try {
            files = TemplateFiles.read(template, environments);
        } catch (FaultException e) {
            terminal.say(describe(e.fault()));
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        TemplateRequest request = new TemplateRequest(
                files.template(),
                files.files(),
                new TemplateRequest.Environments(null, files.environments(), given),
                showNested || stub,
                ignoreErrors,
                how(),
                limits());
        TemplateAnswer answer = TemplateValidator.validate(request);
        print(request, answer);
        List<Fault> faults = new ArrayList<>(files.missingBeside(answer.faults()));
        faults.addAll(answer.faults());
        faults.forEach(fault -> say(request, fault));
        return faults.isEmpty() ? ExitCode.FINE : ExitCode.DIFFERENT_OR_INVALID;
    }

    private void say(TemplateRequest request, Fault fault) {
        Location location = request.locate(fault.file(), fault.place());
        terminal.say((location == null ? "" : location + ": ") + describe(fault));
    }

    private static String describe(Fault fault) {
        return fault.code().code() + ": " + fault.text();
    }

    private MapValue given() {
        Map<String, Value> values = new LinkedHashMap<>();
        for (String option : parameters) {
            for (String pair : option.split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals < 1) {
                    throw usage("--parameter takes NAME=VALUE.");
                }
                String name = pair.substring(0, equals);
                Text value = new Text(pair.substring(equals + 1));
                values.merge(name, value, TemplateValidateCommand::both);
            }
        }
        return MapValue.of(values);
    }

    private static Value both(Value before, Value value) {
        List<Value> items = new ArrayList<>(before instanceof ListValue list ? list.items() : List.of(before));
        items.add(value);
        return ListValue.of(items);
    }

    private void print(TemplateRequest request, TemplateAnswer answer) {
        Findings findings = new Findings(request, answer);
        AnswerJson json = new AnswerJson(answer, showHidden);
        if (stub) {
            StubEnvironment.print(terminal.out(), findings.needed());
            return;
        }
        if (!(json.schema() instanceof MapValue schema)) {
            return;
        }
        if (format == ListFormat.TABLE) {
            TemplateTable.print(terminal, answer, json, findings);
            return;
        }
        MapValue whole = schema.with("Environment", json.environment());
        if (details) {
            whole = whole.updatedWith(findings.toValue(json));
        }
        if (format == ListFormat.JSON) {
            JsonOutput.printLine(terminal.out(), whole);
        } else {
            YamlOutput.printAlone(terminal.out(), whole);
        }
    }

    private int many() throws IOException {
        boolean wrong = false;
        try (InputStream in =
                requests.equals("-") ? terminal.in() : Files.newInputStream(PlainFile.of(Path.of(requests)))) {
            JsonLines lines = new JsonLines(in);
            for (JsonLines.Line line = lines.next(); line != null; line = lines.next()) {
                MapValue answer = line.mistake() == null
                        ? answer(line.value())
                        : TemplateRequestJson.refused(Null.NULL, line.mistake());
                wrong |= ((ListValue) answer.get("errors")).size() > 0;
                JsonOutput.printLine(terminal.out(), answer);
                terminal.out().flush(); // the client may wait for it before its next request
            }
        }
        return wrong ? ExitCode.DIFFERENT_OR_INVALID : ExitCode.FINE;
    }

    private MapValue answer(Value value) {
        Value id = value instanceof MapValue map && map.has("id") ? map.get("id") : Null.NULL;
        TemplateRequestJson request;
        try {
            request = TemplateRequestJson.read(value, how(), limits());
        } catch (IllegalArgumentException e) {
            return TemplateRequestJson.refused(id, e.getMessage());
        }
        return request.write(TemplateValidator.validate(request.request()), showHidden);
    }
}
