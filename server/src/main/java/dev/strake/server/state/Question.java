package dev.strake.server.state;

import dev.strake.client.RevisionName;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.pipeline.Placement.Here;
import dev.strake.topology.query.WorkspaceQueries;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A question about a workspace of this instance. It is answered from one revision: the requested one, or the head at
 * that time. Meanwhile the pipeline continues. It prunes a revision that is being read only if too many new ones
 * follow. A response is consistent from the first document to the last, or it fails.
 *
 * @param fromStandby whether a standby may answer, which may lag behind
 * @param shown how secrets are shown to the client
 */
public record Question(
        Request request, boolean fromStandby, Disclosure.SecretsShown shown, Here here, OpenRevision.Earlier earlier) {

    public String workspace() {
        return request.path("workspace");
    }

    /** Returns the state; fails with 404 if the workspace does not exist. */
    WorkspaceQueries state() {
        if (here.state().history().lastRevision(workspace()) == 0) {
            throw Refused.noWorkspace(workspace());
        }
        return here.state();
    }

    /** Returns the members that tell how far a standby lags behind. */
    MapValue origin() {
        MapValue.Builder origin = MapValue.builder();
        if (fromStandby) {
            origin.put("from", here.behind().isPresent() ? "standby" : "active");
            origin.put("behindRecords", here.behind().orElse(0));
        }
        return origin.build();
    }

    /** Responds with a list of one revision. */
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

    /** Responds with a JSON object about one revision, built in memory. */
    Response whole(Function<OpenRevision, MapValue> reader) {
        try (OpenRevision open = open()) {
            return whole(shown.telling(reader.apply(open)));
        }
    }

    static Response whole(MapValue json) {
        return Response.of(200, "application/json", JsonBytes.of(json));
    }

    private OpenRevision open() {
        WorkspaceQueries state = state();
        long number = request.parameter("revision")
                .map(name -> find(state, workspace(), name))
                .orElseGet(() -> state.history().lastRevision(workspace()));
        return OpenRevision.of(this, state, number);
    }

    /**
     * Returns the number of a revision given by number, tag or keyword.
     *
     * @throws dev.strake.server.http.RefusedException if the revision does not exist or was pruned
     */
    static long find(WorkspaceQueries state, String workspace, String text) {
        RevisionName name = new RevisionName(text);
        if (text.equals(RevisionName.HEAD)) {
            return state.history().lastRevision(workspace);
        }
        if (text.equals(RevisionName.PUBLISHED)) {
            return state.history()
                    .published(workspace)
                    .orElseThrow(() -> Refused.noRevision(
                            "The revision that consumers hold was pruned, and all later ones failed. Correct"
                                    + " what fails."));
        }
        if (name.number().isEmpty()) {
            return state.history()
                    .tagged(workspace, text)
                    .orElseThrow(() -> Refused.noRevision(
                            "The workspace has no revision with the tag %s. List its tags.".formatted(text)));
        }
        long revision = name.number().getAsLong();
        if (!state.history().isKept(workspace, revision)) {
            Problem missing = state.history().missing(workspace, revision);
            throw Refused.noRevision(missing.message() + " (" + missing.hint() + ")");
        }
        return revision;
    }
}
