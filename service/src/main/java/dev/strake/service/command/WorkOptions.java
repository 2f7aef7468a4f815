package dev.strake.service.command;

import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of a pipeline: its settings, the commonest of them by name, and what may be done about lost state. */
final class WorkOptions extends SettingOptions {

    @Option(
            names = "--on-problem",
            paramLabel = "WHAT",
            description = "hold-revision or hold-document: what a document that does not render holds back. "
                    + "Default: hold-revision")
    private Optional<String> onProblem = Optional.empty();

    @Option(
            names = "--accept-empty-state",
            description = "Start although changelogs of earlier work are gone, empty or cut: workspaces begin anew "
                    + "with what is left, and every bucket has to be published again.")
    private boolean acceptEmptyState;

    boolean acceptEmptyState() {
        return acceptEmptyState;
    }

    @Override
    Map<String, String> byName() {
        return onProblem.map(what -> Map.of("strake.on-problem", what)).orElse(Map.of());
    }
}
