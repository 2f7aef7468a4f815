package dev.strake.server.state;

import dev.strake.client.RevisionName;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.text.JsonValues;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.pipeline.Placement.Here;
import dev.strake.topology.query.WorkspaceQueries;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A question about one workspace, which this instance has. It is answered from one revision: the head as it was when the question
 * came, or the revision that is asked for. The pipeline goes on meanwhile, and revisions are pruned; one that is being read goes
 * only if too many others come meanwhile. An answer either is of its revision from the first document to the last, or it fails.
 *
 * @param fromStandby whether a copy may answer that is a little behind
 * @param shown how whoever asks is shown secrets
 */
public record Question(
        Request request, boolean fromStandby, Disclosure.SecretsShown shown, Here here, OpenRevision.Earlier earlier) {

    public String workspace() {
        return request.path("workspace");
    }

    /** The state, if there is such a workspace. */
    WorkspaceQueries state() {
        if (here.state().head(workspace()) == 0) {
            throw Refused.noWorkspace(workspace());
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
    Response list(BiFunction<OpenRevision, ListRequest, Listing> lister) {
        ListRequest wanted = ListRequest.of(request);
        OpenRevision open = open();
        try {
            return lister.apply(open, wanted).keeping(open).response();
        } catch (RuntimeException | Error e) {
            open.close();
            throw e;
        }
    }

    /** An answer of one revision that is small enough for the heap. */
    Response whole(Function<OpenRevision, MapValue> reader) {
        try (OpenRevision open = open()) {
            return whole(shown.telling(reader.apply(open)));
        }
    }

    static Response whole(MapValue json) {
        return Response.of(200, "application/json", JsonValues.write(json));
    }

    private OpenRevision open() {
        WorkspaceQueries state = state();
        long number = request.parameter("revision")
                .map(name -> find(state, workspace(), name))
                .orElseGet(() -> state.head(workspace()));
        return OpenRevision.of(this, state, number);
    }

    /**
     * The number of the revision that somebody names.
     *
     * @throws dev.strake.server.http.RefusedException if there is none, or it is not kept
     */
    static long find(WorkspaceQueries state, String workspace, String text) {
        RevisionName name = new RevisionName(text);
        if (text.equals(RevisionName.HEAD)) {
            return state.head(workspace);
        }
        if (text.equals(RevisionName.PUBLISHED)) {
            return state.published(workspace)
                    .orElseThrow(() -> Refused.noRevision(
                            "The revision that consumers hold was pruned, and all later ones failed. Correct"
                                    + " what fails."));
        }
        if (name.number().isEmpty()) {
            return state.tagged(workspace, text)
                    .orElseThrow(() -> Refused.noRevision(
                            "The workspace has no revision with the tag %s. List its tags.".formatted(text)));
        }
        long revision = name.number().getAsLong();
        if (!state.has(workspace, revision)) {
            Problem missing = state.missing(workspace, revision);
            throw Refused.noRevision(missing.message() + " (" + missing.hint() + ")");
        }
        return revision;
    }
}
