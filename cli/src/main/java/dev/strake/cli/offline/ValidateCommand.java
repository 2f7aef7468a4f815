package dev.strake.cli.offline;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.option.PathArguments;
import dev.strake.cli.output.Counted;
import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.Lower;
import dev.strake.cli.output.ProblemReport;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCause;
import dev.strake.engine.problem.ProblemCount;
import dev.strake.engine.secret.Redaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "validate",
        description = {
            "Find the problems of documents, without Kafka.",
            "",
            "Checks the format of all documents and, if it is valid, whether they render as one workspace. Prints one "
                    + "problem per line, with file and line number, and below it the documents that wait for it. "
                    + "Warnings and counts go to stderr.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake validate site/",
            "  strake validate -o json site/ | jq -r '.[].code' | sort | uniq -c",
            "  strake validate --strict -o sarif site/ > strake.sarif",
            "",
            "Exit codes: 0 no problems, 1 invalid documents or none, 3 documents that do not render, or warnings with "
                    + "--strict.",
        })
public final class ValidateCommand extends TerminalCommand {

    /** How problems are printed. */
    enum Format {
        TEXT,
        JSON,
        SARIF,
        JUNIT;

        @Override
        public String toString() {
            return Lower.name(this);
        }
    }

    @Mixin
    private PathArguments paths;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "text",
            description =
                    "text, json (an array), sarif or junit; all but text list waiting documents, too. Default: ${DEFAULT-VALUE}.")
    private Format format;

    @Option(names = "--strict", description = "Treat warnings as problems.")
    private boolean strict;

    @Override
    public Integer call() throws IOException {
        FileDocuments files = paths.read(terminal);
        OfflineRendering result = OfflineRendering.of(files, paths.renderer(false), Redaction.STRUCTURE);
        List<Problem> problems = new ArrayList<>(result.invalid());
        problems.addAll(result.problems());
        List<Problem> warnings = new ArrayList<>(result.warnings());
        if (strict) {
            problems.addAll(warnings);
            warnings.clear();
        }
        ProblemReport report = new ProblemReport(problems, warnings);
        switch (format) {
            case TEXT -> ProblemReport.causes(problems).forEach(terminal::print);
            case JSON -> JsonOutput.printProblems(terminal.out(), problems);
            case SARIF -> report.printSarif(terminal.out());
            case JUNIT -> report.printJunit(terminal.out(), "strake validate");
        }
        warnings.forEach(warning -> terminal.say("warning: " + warning.describe()));
        terminal.say("%s%s, %s, %s"
                .formatted(
                        Counted.of(files.documents().size(), "document"),
                        files.unusable() == 0 ? "" : " and " + files.unusable() + " that cannot be used",
                        ProblemCount.of(problems, ProblemCause.among(problems)).describe(),
                        Counted.of(warnings.size(), "warning")));
        if (!result.invalid().isEmpty() || paths.isRefused(files, terminal)) {
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        return problems.isEmpty() ? ExitCode.FINE : ExitCode.RENDER_PROBLEMS;
    }
}
