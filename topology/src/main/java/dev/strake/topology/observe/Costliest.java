package dev.strake.topology.observe;

import dev.strake.engine.graph.Reason;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.render.Tracer;
import dev.strake.topology.observe.ProcessedChange.Costly;
import java.util.ArrayList;
import java.util.List;

/** Finds the documents that took the most steps in a change. */
final class Costliest implements Tracer {

    static final int KEPT = 5;

    private final List<Costly> found = new ArrayList<>(KEPT + 1);

    @Override
    public void decided(DocumentId document, Reason reason, Verdict verdict) {}

    @Override
    public void worked(DocumentId document, long steps) {
        long all = steps;
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).document().equals(document)) { // an owner takes steps twice: inspection, then derivation
                all += found.remove(i).steps();
            }
        }
        int place = 0;
        while (place < found.size() && found.get(place).steps() >= all) {
            place++;
        }
        found.add(place, new Costly(document, all));
        if (found.size() > KEPT) {
            found.remove(KEPT);
        }
    }

    List<Costly> found() {
        return List.copyOf(found);
    }
}
