package dev.strake.cli.offline;

import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "problem",
        description = "Explain the code of a problem, with an example, and what to do.",
        footer = {
            "",
            "@|bold Examples|@",
            "  strake problem SubstitutionSourceNotFound",
            "  strake problem unknown-property",
            "",
            "Exit codes: 0 success, 2 no such code.",
        })
public final class ProblemCommand extends TerminalCommand {

    /** Each code is a heading on one of these pages. */
    private static final List<String> PAGES =
            List.of("/dev/strake/cli/problems.md", "/dev/strake/cli/template-problems.md");

    private static final Pattern HEADING = Pattern.compile("(?m)^## (\\S+)$");

    @Parameters(
            paramLabel = "CODE",
            completionCandidates = Codes.class,
            description = "The code of a problem, in upper or lower case.")
    private String code;

    /** All codes, for shell completion. */
    static final class Codes implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return PAGES.stream()
                    .flatMap(page -> HEADING.matcher(text(page)).results())
                    .map(heading -> heading.group(1))
                    .iterator();
        }
    }

    @Override
    public Integer call() {
        for (String page : PAGES) {
            String text = text(page);
            for (MatchResult heading : HEADING.matcher(text).results().toList()) {
                if (heading.group(1).equalsIgnoreCase(code)) {
                    int end = text.indexOf("\n## ", heading.end());
                    print(text.substring(heading.start(), end < 0 ? text.length() : end));
                    return ExitCode.FINE;
                }
            }
        }
        throw usage("there is no problem code '%s'. Known codes: %s".formatted(code, String.join(", ", new Codes())));
    }

    /* Prints examples unfolded, so that users can paste them. */
    private void print(String section) {
        boolean isExample = false;
        for (String line : section.lines().toList()) {
            isExample ^= line.startsWith("```");
            if (isExample) {
                terminal.out().println(line);
            } else {
                terminal.print(line);
            }
        }
    }

    private static String text(String page) {
        try (InputStream in = ProblemCommand.class.getResourceAsStream(page)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
