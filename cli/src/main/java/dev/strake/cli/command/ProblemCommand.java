package dev.strake.cli.command;

import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.template.fault.FaultCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "problem",
        mixinStandardHelpOptions = true,
        description = "Say what the code of a problem means, with an example, and what to do.",
        footer = {
            "",
            "@|bold Examples|@",
            "  strake problem SubstitutionSourceNotFound",
            "  strake problem unknown-property",
            "",
            "Exit codes: 0 told, 2 there is no such code.",
        })
final class ProblemCommand extends TerminalCommand {

    private static final String PAGE = "/dev/strake/cli/problems.md";
    private static final String PAGE_OF_TEMPLATES = "/dev/strake/cli/template-problems.md";

    @Parameters(
            paramLabel = "CODE",
            completionCandidates = Codes.class,
            description = "As a problem names it, in upper or lower case.")
    private String code;

    ProblemCommand(Terminal terminal) {
        super(terminal);
    }

    /** All codes, for shells that complete them. */
    static final class Codes implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return Stream.concat(
                            Arrays.stream(ProblemCode.values()).map(ProblemCode::code),
                            Arrays.stream(FaultCode.values()).map(FaultCode::code))
                    .iterator();
        }
    }

    @Override
    public Integer call() throws IOException {
        for (String known : new Codes()) {
            if (known.equalsIgnoreCase(code)) {
                terminal.out().print(section(page(isOfTemplates(known) ? PAGE_OF_TEMPLATES : PAGE), known));
                terminal.out().flush();
                return ExitCode.FINE;
            }
        }
        throw usage("there is no problem '%s'. There are: %s".formatted(code, String.join(", ", new Codes())));
    }

    private static boolean isOfTemplates(String code) {
        return Arrays.stream(FaultCode.values()).anyMatch(each -> each.code().equals(code));
    }

    private static String page(String name) throws IOException {
        try (InputStream page = ProblemCommand.class.getResourceAsStream(name)) {
            return new String(page.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /* From its heading to the next one. */
    private static String section(String page, String code) {
        int begin = page.indexOf("\n## " + code + "\n") + 1;
        int end = page.indexOf("\n## ", begin);
        return end < 0 ? page.substring(begin) : page.substring(begin, end);
    }
}
