package dev.strake.cli.option;

import dev.strake.cli.output.AnswerFields;
import dev.strake.cli.terminal.Terminal;
import dev.strake.client.RevisionName;
import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.tree.MapValue;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The revision of a workspace that a command queries. */
public final class RevisionOption {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private String name;

    @Option(
            names = "--revision",
            paramLabel = "N|TAG",
            description = "As of this revision: a number, a tag or published. Default: head, the last one.")
    public void setName(String given) {
        try {
            set(new RevisionName(given).text());
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    @Option(
            names = "--published",
            description = "As of the revision that consumers hold: the last one that did not fail.")
    public void setPublished(boolean isPublished) {
        if (isPublished) {
            set(RevisionName.PUBLISHED);
        }
    }

    private void set(String given) {
        if (name != null) {
            throw wrong("--revision and --published exclude each other.");
        }
        name = given;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }

    /** Whether a revision is specified. */
    public boolean isGiven() {
        return name != null;
    }

    /** Whether the revision may be the head. */
    public boolean mayBeHead() {
        return name == null || RevisionName.PUBLISHED.equals(name) || RevisionName.HEAD.equals(name);
    }

    /** The query parameters for a running Strake. */
    public List<Parameter> parameters() {
        return name == null ? List.of() : List.of(new Parameter("revision", name));
    }

    /** If no revision is specified and the head failed, says which revision consumers hold. */
    public void sayWhatConsumersHold(MapValue answer, Terminal terminal) {
        if (isGiven() || !AnswerFields.text(answer, "status").equals("failed")) {
            return;
        }
        String held = AnswerFields.text(answer, "renderedRevision");
        terminal.say("strake: revision %s, the head, failed; consumers hold %s. 'strake get problems -w %s' says why."
                .formatted(
                        AnswerFields.text(answer, "revision"),
                        held.equals("0") ? "nothing yet" : "revision " + held + " (use --published)",
                        AnswerFields.text(answer, "workspace")));
    }
}
