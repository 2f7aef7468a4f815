package dev.strake.cli.change;

import dev.strake.cli.terminal.Terminal;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.NewChange;
import dev.strake.client.RevisionName;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.engine.tree.MapValue;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "tag",
        description = "Give a revision of a workspace a name. A revision with a tag is kept.",
        footer = {
            "",
            "@|bold Examples|@",
            "  strake tag -w site-a 12 released --wait",
            "  strake tag -w site-a 12 released --data ticket=OPS-7",
            "",
            "Exit codes: 0 published, 1 rejected, 4 Kafka unreachable or timed out.",
        })
public final class TagCommand extends TerminalCommand {

    @Mixin
    private TaggedRevision revision;

    @Option(
            names = "--data",
            paramLabel = "KEY=TEXT",
            description = "Data to keep with the tag; may be given several times.")
    private Map<String, String> data = new LinkedHashMap<>();

    @Override
    public Integer call() throws NotFoundException {
        revision.checkTag();
        MapValue.Builder kept = MapValue.builder();
        data.forEach((key, text) -> kept.put(key, text));
        return revision.publish(
                (workspace, id) -> NewChange.tag(workspace, id, revision.number(), revision.tag(), kept.build()),
                "will be tagged",
                "is tagged",
                terminal);
    }

    /** A revision and a tag of it. */
    static final class TaggedRevision {

        @Spec(Spec.Target.MIXEE)
        private CommandSpec command;

        @Mixin
        private PublishOptions publishing;

        @Parameters(index = "0", paramLabel = "REVISION", description = "The number of a revision.")
        private long number;

        @Parameters(index = "1", paramLabel = "TAG", description = "The name of the tag.")
        private String tag;

        /* Deckhand and the service accept any name. But no command could find a revision by these. */
        void checkTag() {
            if (!new RevisionName(tag).isTag()) {
                throw new ParameterException(
                        command.commandLine(),
                        "'%s' cannot be a tag: numbers, head and published name revisions already. Choose another one."
                                .formatted(tag));
            }
        }

        /** Creates the change to publish. */
        interface Change {
            NewChange of(String workspace, String id);
        }

        long number() {
            return number;
        }

        String tag() {
            return tag;
        }

        /**
         * Publishes the change.
         *
         * @param asked what will happen to the revision, such as "will be tagged"
         * @param done the same as a result, such as "is tagged"
         */
        int publish(Change change, String asked, String done, Terminal terminal) throws NotFoundException {
            if (number < 1) {
                throw new ParameterException(command.commandLine(), "REVISION has to be 1 or more.");
            }
            String workspace = publishing.workspace();
            String subject = "Revision %d of %s ".formatted(number, workspace);
            return publishing.publish(
                    change.of(workspace, publishing.changeId()),
                    new PublishReport.Sentences(subject + asked + ' ' + tag + '.', subject + done + ' ' + tag + '.'),
                    terminal);
        }
    }
}
