package dev.strake.server.state;

import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.serdes.text.JsonValues;
import dev.strake.server.http.Response;
import dev.strake.server.pipeline.Placement.Here;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.RevisionGoneException;
import dev.strake.topology.store.RevisionLeases.Lease;
import java.util.Optional;
import java.util.function.Function;

/**
 * A question about one workspace, which this instance has. It is answered from one revision: the head as it was when the question
 * came, or the revision that is asked for. The pipeline goes on meanwhile, and revisions are pruned; one that is being read goes
 * only if too many others come meanwhile. An answer either is of its revision from the first document to the last, or it fails.
 *
 * @param revision as it was given; the head if it was not
 * @param fromStandby whether a copy may answer that is a little behind
 * @param shown how whoever asks is shown secrets
 */
record Question(
        String workspace,
        Optional<String> revision,
        boolean fromStandby,
        Page page,
        Disclosure.Shown shown,
        Here here) {

    Redaction redaction() {
        return shown.redaction();
    }

    /** The state, if there is such a workspace. */
    WorkspaceQueries state() {
        if (here.state().head(workspace) == 0) {
            throw Refused.noWorkspace(workspace);
        }
        return here.state();
    }

    /** Whoever may be told old news is told how old. */
    MapValue origin() {
        MapValue.Builder origin = MapValue.builder();
        if (fromStandby) {
            origin.put("from", new Text(here.behind().isPresent() ? "standby" : "active"));
            origin.put("behindRecords", Num.of(here.behind().orElse(0)));
        }
        return origin.build();
    }

    /** A list of one revision. */
    Response list(Function<Reading, Listing> lister) {
        WorkspaceQueries state = state();
        long number = number(state);
        Lease lease = state.read(workspace, number);
        try {
            return lister.apply(reading(state, number)).keeping(lease).response();
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
    }

    /** An answer of one revision that is small enough for the heap. */
    Response whole(Function<Reading, MapValue> reader) {
        WorkspaceQueries state = state();
        long number = number(state);
        Lease lease = state.read(workspace, number);
        try (lease) {
            return whole(reader.apply(reading(state, number)));
        }
    }

    static Response whole(MapValue json) {
        return Response.of(200, "application/json", JsonValues.write(json));
    }

    private long number(WorkspaceQueries state) {
        return revision.isPresent() ? NamedRevision.find(state, workspace, revision.get()) : state.head(workspace);
    }

    private Reading reading(WorkspaceQueries state, long number) {
        Revision found = number == 0
                ? null
                : state.revision(workspace, number).orElseThrow(() -> new RevisionGoneException(number));
        Reading reading = new Reading(this, state, number, found);
        // The stores of a copy follow one by one. Of an instance that works on the workspace they go together.
        if (here.behind().isPresent() && !reading.stored().has(reading.documents())) {
            throw new RevisionGoneException(number);
        }
        return reading;
    }
}
