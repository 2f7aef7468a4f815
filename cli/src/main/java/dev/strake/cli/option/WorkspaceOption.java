package dev.strake.cli.option;

import dev.strake.serdes.change.WorkspaceKey;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The workspace of a command. */
public final class WorkspaceOption {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private String name;

    @Option(
            names = {"-w", "--workspace"},
            paramLabel = "WS",
            defaultValue = "${env:STRAKE_WORKSPACE}",
            description = "The workspace: 1 to 128 letters, digits, dots, underscores and dashes. "
                    + "Default: STRAKE_WORKSPACE of the environment.")
    public void setName(String given) {
        if (given == null || given.isEmpty()) {
            return; // the variable is not set
        }
        if (!WorkspaceKey.isName(given)) {
            throw new ParameterException(
                    command.commandLine(),
                    "'%s' is not a workspace name: use 1 to 128 letters, digits, dots, underscores and dashes."
                            .formatted(given));
        }
        name = given;
    }

    public String name() {
        return name("Missing workspace. Give -w, or set STRAKE_WORKSPACE in the environment.");
    }

    /**
     * Returns the name of the workspace.
     *
     * @param otherwise the message if there is none
     */
    public String name(String otherwise) {
        if (name == null) {
            throw new ParameterException(command.commandLine(), otherwise);
        }
        return name;
    }
}
