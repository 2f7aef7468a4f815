package dev.strake.cli.remote;

import dev.strake.remote.apply.Applier;
import dev.strake.remote.apply.ResultTopic;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Whether an applier publishes the result of each document, and under which name. */
final class ResultOptions {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:/-]{1,128}");

    @Option(
            names = "--results",
            description = "Write the result of each document to the topic apply-results, which is created if missing.")
    private boolean results;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The name of this applier in the results. Default: the address of the cluster or the "
                    + "repository, or the folder")
    private Optional<String> name = Optional.empty();

    /** Returns what is wrong with the options; empty if they are valid. */
    Optional<String> mistake() {
        return name.filter(given -> !NAME.matcher(given).matches())
                .map(given ->
                        "--name has to be 1 to 128 letters, digits, dots, colons, slashes, underscores and dashes.");
    }

    /** Opens the topic of results. Empty if the user does not want results. */
    Optional<ResultTopic> open(Applier applier, boolean dryRun, Supplier<String> target) {
        return results && !dryRun
                ? Optional.of(ResultTopic.open(
                        applier.cluster(),
                        applier.prefix(),
                        applier.workspace(),
                        name.orElseGet(target).replace('|', '_'),
                        applier.patience()))
                : Optional.empty();
    }
}
