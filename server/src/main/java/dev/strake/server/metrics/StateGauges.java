package dev.strake.server.metrics;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.metrics.Meters.Reading;
import dev.strake.topology.observe.WorkspaceStatus;
import dev.strake.topology.observe.WorkspaceStatus.OpenProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The gauges of the workspaces that this instance holds. What has names of workspaces or documents in its labels shows a few
 * of them only, however many there are.
 */
final class StateGauges {

    static final List<Metric> METRICS = List.of(
            OwnMetrics.WORKSPACES,
            OwnMetrics.DOCUMENTS,
            OwnMetrics.REVISIONS,
            OwnMetrics.RENDERED_DOCUMENTS,
            OwnMetrics.PROBLEMS,
            OwnMetrics.PROBLEM_OPEN,
            OwnMetrics.STALENESS,
            OwnMetrics.WORKSPACE_STALENESS);

    private static final int MOST_PROBLEMS = 20;

    private StateGauges() {}

    static List<Reading> of(Staleness.Found stale) {
        List<Reading> readings = new ArrayList<>();
        readings.add(new Reading(OwnMetrics.STALENESS, stale.behind() / 1e3, "behind"));
        readings.add(new Reading(OwnMetrics.STALENESS, stale.held() / 1e3, "held"));
        stale.workspaces()
                .forEach((workspace, millis) ->
                        readings.add(new Reading(OwnMetrics.WORKSPACE_STALENESS, millis / 1e3, workspace)));
        return readings;
    }

    static List<Reading> of(WorkspacesHeld workspaces, long now) {
        List<Reading> readings = new ArrayList<>();
        Map<OutcomeStatus, Integer> states = new EnumMap<>(OutcomeStatus.class);
        Map<ProblemCode, Integer> problems = new EnumMap<>(ProblemCode.class);
        List<AgedProblem> aged = new ArrayList<>();
        long[] sums = new long[3];
        workspaces.forEach(status -> {
            if (status.documents() > 0) {
                states.merge(status.state(), 1, Integer::sum);
            }
            sums[0] += status.documents();
            sums[1] += status.revision() - status.oldestRevision() + 1;
            sums[2] += status.rendered();
            status.problems().forEach((document, problem) -> {
                problems.merge(problem.code(), 1, Integer::sum);
                aged.add(new AgedProblem(status.workspace(), document, problem));
            });
        });
        for (OutcomeStatus state :
                new OutcomeStatus[] {OutcomeStatus.RENDERED, OutcomeStatus.PARTIAL, OutcomeStatus.FAILED}) {
            readings.add(new Reading(OwnMetrics.WORKSPACES, states.getOrDefault(state, 0), state.text()));
        }
        readings.add(new Reading(OwnMetrics.DOCUMENTS, (double) sums[0]));
        readings.add(new Reading(OwnMetrics.REVISIONS, (double) sums[1]));
        readings.add(new Reading(OwnMetrics.RENDERED_DOCUMENTS, (double) sums[2]));
        for (ProblemCode code : ProblemCode.values()) { // 0 rather than absent, so that a graph shows when it cleared
            readings.add(new Reading(OwnMetrics.PROBLEMS, problems.getOrDefault(code, 0), code.code()));
        }
        aged.stream()
                .sorted(AgedProblem.OLDEST_FIRST)
                .limit(MOST_PROBLEMS)
                .forEach(each -> readings.add(new Reading(
                        OwnMetrics.PROBLEM_OPEN,
                        Math.max(0, now - each.problem().since()) / 1e3,
                        each.workspace(),
                        each.documentText(),
                        each.problem().code().code())));
        return readings;
    }

    private record AgedProblem(String workspace, DocumentId document, OpenProblem problem) {

        /* Of equal age those that come first by name stay, so that a scrape shows the same ones as the last. */
        static final Comparator<AgedProblem> OLDEST_FIRST = Comparator.<AgedProblem>comparingLong(
                        each -> each.problem().since())
                .thenComparing(AgedProblem::workspace)
                .thenComparing(AgedProblem::document);

        String documentText() {
            return document.equals(WorkspaceStatus.WHOLE)
                    ? "*"
                    : document.schema() + "/" + document.layer() + "/" + document.name();
        }
    }
}
