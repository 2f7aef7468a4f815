package dev.strake.server.metrics;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.metrics.Meters.Sample;
import dev.strake.topology.observe.WorkspaceStatus;
import dev.strake.topology.observe.WorkspaceStatus.OpenProblem;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The status of the workspaces in the tasks of this instance, and their gauges. Written by the stream threads, read by
 * others. Gauges labelled with workspaces or documents have a limited number of samples.
 */
final class WorkspacesHeld {

    static final List<Metric> METRICS = List.of(
            OwnMetrics.WORKSPACES,
            OwnMetrics.DOCUMENTS,
            OwnMetrics.REVISIONS,
            OwnMetrics.RENDERED_DOCUMENTS,
            OwnMetrics.PROBLEMS,
            OwnMetrics.PROBLEM_OPEN);

    private static final int MOST_PROBLEMS = 20;

    private final Clock clock;

    private final Map<Integer, Map<String, WorkspaceStatus>> byPartition = new ConcurrentHashMap<>();

    WorkspacesHeld(Clock clock) {
        this.clock = clock;
    }

    void opened(int partition, Collection<WorkspaceStatus> workspaces) {
        Map<String, WorkspaceStatus> all = new ConcurrentHashMap<>();
        workspaces.forEach(status -> all.put(status.workspace(), status));
        byPartition.put(partition, all);
    }

    void changed(int partition, WorkspaceStatus status) {
        byPartition.get(partition).put(status.workspace(), status);
    }

    void closed(int partition) {
        byPartition.remove(partition);
    }

    void forEach(Consumer<WorkspaceStatus> action) {
        byPartition.values().forEach(all -> all.values().forEach(action));
    }

    List<Sample> samples() {
        long now = clock.millis();
        List<Sample> samples = new ArrayList<>();
        Map<OutcomeStatus, Integer> states = new EnumMap<>(OutcomeStatus.class);
        Map<ProblemCode, Integer> problems = new EnumMap<>(ProblemCode.class);
        List<AgedProblem> aged = new ArrayList<>();
        long[] sums = new long[3];
        forEach(status -> {
            if (status.last().documents() > 0) {
                states.merge(status.last().state(), 1, Integer::sum);
            }
            sums[0] += status.last().documents();
            sums[1] += status.last().revision() - status.oldestRevision() + 1;
            sums[2] += status.last().rendered();
            status.problems().forEach((document, problem) -> {
                problems.merge(problem.code(), 1, Integer::sum);
                aged.add(new AgedProblem(status.workspace(), document, problem));
            });
        });
        for (OutcomeStatus state :
                new OutcomeStatus[] {OutcomeStatus.RENDERED, OutcomeStatus.PARTIAL, OutcomeStatus.FAILED}) {
            samples.add(new Sample(OwnMetrics.WORKSPACES, states.getOrDefault(state, 0), state.text()));
        }
        samples.add(new Sample(OwnMetrics.DOCUMENTS, (double) sums[0]));
        samples.add(new Sample(OwnMetrics.REVISIONS, (double) sums[1]));
        samples.add(new Sample(OwnMetrics.RENDERED_DOCUMENTS, (double) sums[2]));
        for (ProblemCode code : ProblemCode.values()) { // 0 instead of absent, so that a graph shows when it cleared
            samples.add(new Sample(OwnMetrics.PROBLEMS, problems.getOrDefault(code, 0), code.code()));
        }
        aged.stream()
                .sorted(AgedProblem.OLDEST_FIRST)
                .limit(MOST_PROBLEMS)
                .forEach(each -> samples.add(new Sample(
                        OwnMetrics.PROBLEM_OPEN,
                        Math.max(0, now - each.problem().since()) / 1e3,
                        each.workspace(),
                        each.documentText(),
                        each.problem().code().code())));
        return samples;
    }

    private record AgedProblem(String workspace, DocumentId document, OpenProblem problem) {

        /* Breaks ties by name, so that consecutive scrapes show the same problems. */
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
