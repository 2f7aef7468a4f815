package dev.strake.checks.bench.state;

import dev.strake.checks.bench.DocumentSets;
import dev.strake.checks.bench.Figures;
import dev.strake.cli.local.TemporaryDirectory;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.apply.Secrets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the cost of encryption: one-leaf changes of the same documents, in turns on separate stores. The documents
 * are either all in clear text or all encrypted, each without and with a keyset.
 */
final class SecretChanges {

    private static final int DOCUMENTS = 10_000;
    private static final int CHANGES_IN_A_TURN = 100;

    private final int rounds;

    /** One of the four combinations. */
    private static final class Side implements AutoCloseable {

        private final TemporaryDirectory scratch = TemporaryDirectory.create("strake-bench");
        private final ProcessingRig rig;
        private final StoredWorkspace workspace;
        private final List<Long> nanos = new ArrayList<>();

        Side(boolean secret, boolean hasKeys) throws IOException {
            Keyset keys = Keyset.create();
            TopologySettings settings =
                    hasKeys ? StoredWorkspace.SETTINGS.withSecrets(new Secrets(() -> keys)) : StoredWorkspace.SETTINGS;
            rig = new ProcessingRig(scratch.path(), settings);
            workspace = new StoredWorkspace(
                    "secrets", DocumentSets.ofSize(7, DOCUMENTS), secret ? "encrypted" : "cleartext");
            workspace.load(rig);
        }

        void change(boolean isCounted) {
            for (int i = 0; i < CHANGES_IN_A_TURN; i++) {
                long cpu = workspace.changeLeaf(rig).cpuNanos();
                if (isCounted) {
                    nanos.add(cpu);
                }
            }
        }

        double median() {
            long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
            return sorted[sorted.length / 2] / 1e3;
        }

        double mean() {
            return nanos.stream().mapToLong(Long::longValue).average().orElseThrow() / 1e3;
        }

        @Override
        public void close() throws IOException {
            rig.close();
            scratch.close();
        }
    }

    /** @param rounds turns of each side, after half as many for warm-up */
    SecretChanges(int rounds) {
        this.rounds = rounds;
    }

    void measure(Figures figures) throws IOException {
        try (Side clear = new Side(false, false);
                Side clearWithKeys = new Side(false, true);
                Side secret = new Side(true, false);
                Side secretWithKeys = new Side(true, true)) {
            for (int round = -rounds / 2; round < rounds; round++) {
                for (Side side : List.of(clear, clearWithKeys, secret, secretWithKeys)) {
                    side.change(round >= 0);
                }
            }
            add(figures, "one-leaf change of clear documents, no keyset", clear, clear);
            add(figures, "… with a keyset", clearWithKeys, clear);
            add(figures, "one-leaf change of documents to be encrypted, no keyset", secret, clear);
            add(figures, "… with a keyset", secretWithKeys, clear);
        }
    }

    private static void add(Figures figures, String what, Side side, Side clear) {
        figures.add(what + ", CPU median", side.median(), "µs");
        figures.add(what + ", CPU mean", side.mean(), "µs");
        figures.addRatio("… compared with clear documents, no keyset, median", side.median(), clear.median());
        figures.addRatio("… compared with clear documents, no keyset, mean", side.mean(), clear.mean());
    }
}
