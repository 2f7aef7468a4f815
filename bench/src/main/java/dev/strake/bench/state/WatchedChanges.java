package dev.strake.bench.state;

import dev.strake.bench.DocumentSets;
import dev.strake.bench.Figures;
import dev.strake.bench.Scratch;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.server.metrics.Metrics;
import dev.strake.server.pipeline.ForwardingObserver;
import dev.strake.server.pipeline.PipelineObserver;
import dev.strake.topology.observe.ProcessedChange;
import dev.strake.topology.observe.WorkspaceStatus;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * What it costs that changes are measured while they are processed: two equal workspaces get the same changes by turns,
 * one of them with metrics. Only what is measured side by side can be told apart to a percent, so rounds are short, and
 * each is compared with the one beside it.
 */
final class WatchedChanges {

    private static final int DOCUMENTS = 1_000;
    private static final int WARM_UP = 5;
    private static final int REPETITIONS = 300_000;

    private final int rounds;
    private final int changes;

    /**
     * @param changes of one round
     */
    WatchedChanges(int rounds, int changes) {
        this.rounds = rounds;
        this.changes = changes;
    }

    void measure(Figures figures) throws IOException {
        DocumentSets set = DocumentSets.ofSize(7, DOCUMENTS);
        Metrics metrics = new Metrics();
        LastHeard observer = new LastHeard(metrics.observer());
        try (metrics;
                Scratch left = new Scratch();
                Scratch right = new Scratch();
                ProcessingRig plain = new ProcessingRig(left.directory(), StoredWorkspace.SETTINGS, false);
                ProcessingRig measured =
                        new ProcessingRig(right.directory(), StoredWorkspace.SETTINGS, false, observer)) {
            StoredWorkspace without = new StoredWorkspace("without", set);
            StoredWorkspace with = new StoredWorkspace("with", set);
            without.load(plain);
            with.load(measured);
            double[] before = new double[rounds];
            double[] overheads = new double[rounds];
            for (int round = -WARM_UP; round < rounds; round++) {
                boolean first = round % 2 == 0; // neither of them always comes after the other
                double a = first ? round(plain, without, () -> {}) : round(measured, with, observer::committed);
                double b = first ? round(measured, with, observer::committed) : round(plain, without, () -> {});
                if (round >= 0) {
                    before[round] = first ? a : b;
                    overheads[round] = first ? b / a : a / b;
                }
            }
            Arrays.sort(before);
            Arrays.sort(overheads);
            figures.add("one-leaf change without metrics, CPU mean, median of rounds", before[rounds / 2] / 1e3, "µs");
            figures.add("the same with metrics, median of rounds", overheads[rounds / 2], "×");
            figures.add("… lower quarter of rounds", overheads[rounds / 4], "×");
            figures.add("… upper quarter of rounds", overheads[rounds * 3 / 4], "×");
            figures.add("calls of such a change to the metrics, CPU mean", observer.again(REPETITIONS) / 1e3, "µs");
        }
    }

    /* The rig has no transactions: what waits for one would wait for ever, and cost memory that it never costs else. */
    private double round(ProcessingRig rig, StoredWorkspace workspace, Runnable commit) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long nanos = 0;
        for (int i = 0; i < changes; i++) {
            nanos += workspace.changeLeaf(rig).cpuNanos();
            long begin = threads.getCurrentThreadCpuTime();
            commit.run();
            nanos += threads.getCurrentThreadCpuTime() - begin;
        }
        return (double) nanos / changes;
    }

    /** Passes all on to the metrics, and can tell them the last change again: their part alone, apart from the noise. */
    private static final class LastHeard extends ForwardingObserver {

        private final PipelineObserver metrics;
        private ChangeEnvelope takenUp;
        private WorkspaceStatus status;
        private ProcessedChange processed;

        LastHeard(PipelineObserver metrics) {
            super(metrics);
            this.metrics = metrics;
        }

        @Override
        public String takenUp(int partition, ChangeEnvelope change) {
            takenUp = change;
            return super.takenUp(partition, change);
        }

        @Override
        public void changed(int partition, WorkspaceStatus now) {
            status = now;
            super.changed(partition, now);
        }

        @Override
        public void processed(ProcessedChange change) {
            processed = change;
            super.processed(change);
        }

        /** Nanoseconds of CPU for each time; the first half only warms up. */
        double again(int times) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long begin = 0;
            for (int i = -times; i < times; i++) {
                if (i == 0) {
                    begin = threads.getCurrentThreadCpuTime();
                }
                metrics.takenUp(processed.partition(), takenUp);
                metrics.changed(processed.partition(), status);
                metrics.processed(processed);
                metrics.committed();
            }
            return (double) (threads.getCurrentThreadCpuTime() - begin) / times;
        }
    }
}
