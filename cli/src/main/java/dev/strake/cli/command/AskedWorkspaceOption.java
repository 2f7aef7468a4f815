package dev.strake.cli.command;

import dev.strake.serdes.change.WorkspaceKey;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The workspace that a running Strake is asked about, by a command that can look at files instead. */
final class AskedWorkspaceOption {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = {"-w", "--workspace"},
            paramLabel = "WS",
            defaultValue = "${env:STRAKE_WORKSPACE}",
            description = "The workspace to ask a running Strake about. Default: STRAKE_WORKSPACE of the environment.")
    private Optional<String> name = Optional.empty();

    /** @param otherwise what is said if there is none */
    String name(String otherwise) {
        String given = name.orElse("");
        if (given.isEmpty() || !WorkspaceKey.isName(given)) {
            throw new ParameterException(
                    command.commandLine(), given.isEmpty() ? otherwise : WorkspaceOption.wrong(given));
        }
        return given;
    }
}
