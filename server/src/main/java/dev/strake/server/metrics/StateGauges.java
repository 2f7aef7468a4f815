package dev.strake.server.metrics;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.metrics.StreamsFigures.Figures;
import dev.strake.topology.observe.WorkspaceStatus;
import dev.strake.topology.observe.WorkspaceStatus.OpenProblem;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Clock;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Supplier;

/**
 * The gauges of what this instance holds, worked out when somebody asks, in one go and therefore of one moment. What has
 * names of workspaces or documents in its labels shows a few of them only, however many there are.
 */
final class StateGauges implements MultiCollector {

    private static final int MOST_PROBLEMS = 20;

    private final WorkspacesHeld workspaces;
    private final Iterable<OpenTransaction> transactions;
    private final Staleness staleness;
    private final FanOuts fanOuts;
    private final RestoreProgress restores;
    private final Supplier<Figures> streams;
    private final Supplier<Map<Integer, Double>> lags;
    private final Clock clock;

    StateGauges(
            WorkspacesHeld workspaces,
            Iterable<OpenTransaction> transactions,
            Staleness staleness,
            FanOuts fanOuts,
            RestoreProgress restores,
            Supplier<Figures> streams,
            Supplier<Map<Integer, Double>> lags,
            Clock clock) {
        this.workspaces = workspaces;
        this.transactions = transactions;
        this.staleness = staleness;
        this.fanOuts = fanOuts;
        this.restores = restores;
        this.streams = streams;
        this.lags = lags;
        this.clock = clock;
    }

    @Override
    public MetricSnapshots collect() {
        long now = clock.millis();
        Figures figures = streams.get();
        Gauges gauges = new Gauges();
        ofWorkspaces(gauges, now);
        Staleness.Found stale = staleness.find(workspaces, transactions, lags.get(), now);
        gauges.set(OwnMetric.STALENESS, stale.behind() / 1e3, "behind");
        gauges.set(OwnMetric.STALENESS, stale.held() / 1e3, "held");
        gauges.begin(OwnMetric.WORKSPACE_STALENESS);
        stale.workspaces()
                .forEach((workspace, millis) -> gauges.set(OwnMetric.WORKSPACE_STALENESS, millis / 1e3, workspace));
        gauges.set(OwnMetric.LARGEST_FAN_OUT, fanOuts.largest(now));
        gauges.begin(OwnMetric.STORE_BYTES);
        figures.bytes().forEach((store, bytes) -> gauges.set(OwnMetric.STORE_BYTES, bytes, store));
        gauges.begin(OwnMetric.STORE_ENTRIES);
        figures.entries().forEach((store, entries) -> gauges.set(OwnMetric.STORE_ENTRIES, entries, store));
        gauges.begin(OwnMetric.RESTORE_REMAINING);
        restores.forEachRemaining((part, records) -> gauges.set(
                OwnMetric.RESTORE_REMAINING, (double) records, part.store(), Integer.toString(part.partition())));
        gauges.set(OwnMetric.RESTORE, restores.seconds());
        return gauges.snapshots();
    }

    private void ofWorkspaces(Gauges gauges, long now) {
        Map<OutcomeStatus, Integer> states = new EnumMap<>(OutcomeStatus.class);
        Map<ProblemCode, Integer> problems = new EnumMap<>(ProblemCode.class);
        PriorityQueue<AgedProblem> oldest = new PriorityQueue<>(AgedProblem.YOUNGEST_FIRST);
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
                oldest.add(new AgedProblem(status.workspace(), document, problem));
                if (oldest.size() > MOST_PROBLEMS) {
                    oldest.remove();
                }
            });
        });
        for (OutcomeStatus state :
                new OutcomeStatus[] {OutcomeStatus.RENDERED, OutcomeStatus.PARTIAL, OutcomeStatus.FAILED}) {
            gauges.set(OwnMetric.WORKSPACES, states.getOrDefault(state, 0), state.text());
        }
        gauges.set(OwnMetric.DOCUMENTS, (double) sums[0]);
        gauges.set(OwnMetric.REVISIONS, (double) sums[1]);
        gauges.set(OwnMetric.RENDERED_DOCUMENTS, (double) sums[2]);
        for (ProblemCode code : ProblemCode.values()) { // 0 rather than absent, so that a graph shows when it cleared
            gauges.set(OwnMetric.PROBLEMS, problems.getOrDefault(code, 0), code.code());
        }
        gauges.begin(OwnMetric.PROBLEM_OPEN);
        for (AgedProblem each : oldest) {
            double age = Math.max(0, now - each.problem().since()) / 1e3;
            gauges.set(
                    OwnMetric.PROBLEM_OPEN,
                    age,
                    each.workspace(),
                    each.documentText(),
                    each.problem().code().code());
        }
    }

    private record AgedProblem(String workspace, DocumentId document, OpenProblem problem) {

        /* Of equal age those that come first by name stay, so that a scrape shows the same ones as the last. */
        static final Comparator<AgedProblem> YOUNGEST_FIRST = Comparator.<AgedProblem>comparingLong(
                        each -> each.problem().since())
                .thenComparing(AgedProblem::workspace)
                .thenComparing(AgedProblem::document)
                .reversed();

        String documentText() {
            return document.equals(WorkspaceStatus.WHOLE)
                    ? "*"
                    : document.schema() + "/" + document.layer() + "/" + document.name();
        }
    }

    /** Families of gauges as they come together. */
    private static final class Gauges {

        private final Map<OwnMetric, GaugeSnapshot.Builder> families = new LinkedHashMap<>();

        /** Makes a family that may have no row: its help tells that it exists. */
        GaugeSnapshot.Builder begin(OwnMetric metric) {
            return families.computeIfAbsent(
                    metric, each -> GaugeSnapshot.builder().name(each.text()).help(each.help()));
        }

        void set(OwnMetric metric, double value, String... labels) {
            begin(metric)
                    .dataPoint(GaugeDataPointSnapshot.builder()
                            .value(value)
                            .labels(Labels.of(metric.labels().toArray(String[]::new), labels))
                            .build());
        }

        MetricSnapshots snapshots() {
            MetricSnapshots.Builder all = MetricSnapshots.builder();
            families.values().forEach(family -> all.metricSnapshot(family.build()));
            return all.build();
        }
    }
}
