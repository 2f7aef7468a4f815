package dev.strake.checks.chaos;

import dev.strake.server.kafka.KafkaSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The checker as a program: exit code 0 if every promise was kept, 1 if one was broken. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Judges from the topics alone whether Strake kept its promises.")
public final class CheckCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private Source source;

    /** The source of the records. */
    private static final class Source {

        @Option(names = "--bootstrap-servers", paramLabel = "HOST:PORT", description = "Read the topics of a cluster")
        private String bootstrapServers;

        @Option(names = "--history", paramLabel = "FILE", description = "Judge a saved run again")
        private Path history;
    }

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            description = "Java properties with any other setting of Kafka's clients")
    private Optional<Path> kafkaConfig = Optional.empty();

    @Option(names = "--topic-prefix", defaultValue = "strake.", description = "Default: ${DEFAULT-VALUE}")
    private String prefix;

    @Option(
            names = "--every",
            paramLabel = "N",
            defaultValue = "1",
            description = "Render every Nth revision of a workspace from nothing, and the last. Default: all")
    private int every;

    @Option(
            names = "--kept",
            paramLabel = "N",
            defaultValue = "1000",
            description = "strake.history.revisions of the run: older revisions may have been pruned. "
                    + "Default: ${DEFAULT-VALUE}")
    private int kept;

    @Option(names = "--save", paramLabel = "FILE", description = "Keep what was read")
    private Optional<Path> save = Optional.empty();

    @Option(
            names = "--same-as",
            paramLabel = "FILE",
            description = "A saved run over the same changes, which must have come to the same")
    private Optional<Path> sameAs = Optional.empty();

    public static void main(String[] args) {
        System.exit(new CommandLine(new CheckCommand()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        History history = source.history != null
                ? History.load(source.history)
                : History.read(
                        KafkaSettings.of(Optional.of(source.bootstrapServers), kafkaConfig, System.getenv()), prefix);
        if (save.isPresent()) {
            history.save(save.get());
        }
        Verdict verdict = Checker.check(history, every, kept);
        if (sameAs.isPresent()) {
            History other = History.load(sameAs.get());
            verdict.compare(history, other, Checker.check(other, Integer.MAX_VALUE, kept));
        }
        PrintWriter out = spec.commandLine().getOut();
        verdict.lines().forEach(out::println);
        out.flush();
        return verdict.isFine() ? 0 : 1;
    }
}
