package dev.strake.bench.state;

import dev.strake.bench.Cloud;
import dev.strake.bench.Figures;
import dev.strake.bench.Scratch;
import dev.strake.bench.state.ProcessingRig.Processed;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.serdes.change.ChangeType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Edits of single templates of a cloud that a workspace keeps valid, from record to outcome. Each template is edited in turn.
 * One that a single stack is made from is a leaf, or nearly one; one that most stacks are made from costs as much as all.
 */
final class CloudEdits {

    private final int rounds;

    /** @param rounds how often each template is edited; as often again before, to warm up */
    CloudEdits(int rounds) {
        this.rounds = rounds;
    }

    void measure(Figures figures) throws IOException {
        for (String mode : List.of("as-heat", "deep")) {
            measure(figures, mode);
        }
    }

    private void measure(Figures figures, String mode) throws IOException {
        Cloud cloud = new Cloud(mode);
        byte[] all = JsonBytes.of(ListValue.of(List.copyOf(cloud.documents())));
        List<Long> any = new ArrayList<>();
        List<Long> single = new ArrayList<>();
        try (Scratch scratch = new Scratch();
                ProcessingRig rig = new ProcessingRig(
                        scratch.directory(), StoredWorkspace.SETTINGS.holdingDocuments(true), false)) {
            rig.process("cloud", ChangeType.BUCKET_PUT, "b", all);
            int edits = 0;
            for (int round = -rounds; round < rounds; round++) {
                for (String template : cloud.templates()) {
                    byte[] body = JsonBytes.of(cloud.edited(template, ++edits));
                    Processed processed = rig.process("cloud", ChangeType.DOCUMENTS_PUT, "b", body);
                    int stacks = processed.outcome().work().emitted() - 1; // without the template itself
                    if (round >= 0) {
                        any.add(processed.cpuNanos());
                    }
                    if (round >= 0 && stacks == 1) {
                        single.add(processed.cpuNanos());
                    }
                }
            }
        }
        String of = " of a cloud, " + mode + ", CPU ";
        figures.add("edit of a template of one stack" + of + "median", percentile(single, 50), "ms");
        figures.add("edit of a template of one stack" + of + "p99", percentile(single, 99), "ms");
        figures.add("edit of any template" + of + "median", percentile(any, 50), "ms");
    }

    private static double percentile(List<Long> nanos, int percent) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalStateException("no template is used by one stack alone");
        }
        return sorted[sorted.length * percent / 100] / 1e6;
    }
}
