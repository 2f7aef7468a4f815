package dev.strake.server.state;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Response;
import dev.strake.server.state.Listing.Item;
import dev.strake.topology.query.Differences;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.RevisionLeases.Lease;
import java.util.List;
import java.util.stream.Stream;

/** Answers which revisions, tags and changes a workspace has, and what differs between two revisions. */
final class RevisionQuestions {

    /** Documents that one comparison of revisions looks at. */
    private static final int MOST_COMPARED = 200_000;

    private final Derivations derivations;

    RevisionQuestions(Derivations derivations) {
        this.derivations = derivations;
    }

    Response revisions(Question question) {
        long after = question.page()
                .after(1)
                .map(name -> NamedRevision.number(name.get(0)))
                .orElse(0L);
        return list(
                question,
                question.state()
                        .revisions(question.workspace(), after)
                        .map(each -> new Item(List.of(Long.toString(each.number())), StateJson.revision(each))));
    }

    /** The tags of revisions, the oldest revision first. */
    Response tags(Question question) {
        List<String> after = question.page().after(2).orElse(List.of("0", ""));
        long revision = NamedRevision.number(after.get(0));
        Stream<Item> items = question.state()
                .revisions(question.workspace(), Math.max(0, revision - 1))
                .flatMap(each -> each.revision().tags().entrySet().stream()
                        .filter(tag -> each.number() > revision || tag.getKey().compareTo(after.get(1)) > 0)
                        .map(tag -> new Item(
                                List.of(Long.toString(each.number()), tag.getKey()),
                                StateJson.tag(each, tag.getKey(), tag.getValue()))));
        return list(question, items);
    }

    private static Response list(Question question, Stream<Item> items) {
        MapValue what = MapValue.of("workspace", new Text(question.workspace()));
        return new Listing(question, what, items, -1, () -> false).response();
    }

    /** A change that was applied, as long as its id is remembered. */
    Response change(Question question, String id) {
        return question.state()
                .applied(question.workspace(), id)
                .map(applied -> Question.whole(StateJson.applied(question.workspace(), id, applied)))
                .orElseThrow(() -> new RefusedException(
                        404,
                        "ChangeNotFound",
                        "No change of this id was applied here, or not yet, or so long ago that its id is forgotten."));
    }

    /**
     * What differs between two revisions.
     *
     * @param wanted which documents are compared, by schema and name
     * @param changes whether to say how it differs, too
     */
    Response diff(Question question, String from, String to, Wanted wanted, boolean changes) {
        WorkspaceQueries state = question.state();
        String workspace = question.workspace();
        long first = NamedRevision.find(state, workspace, from);
        long second = NamedRevision.find(state, workspace, to);
        MapValue what = StateJson.ofTwo(workspace, first, second);
        int[] compared = new int[1];
        Lease lease = state.read(workspace, first, second);
        try (lease;
                Comparison comparison =
                        new Comparison(derivations, state, workspace, first, second, question.redaction())) {
            Differences differences = state.diff(workspace, first, second, wanted::isNamed, () -> {
                if (++compared[0] > MOST_COMPARED) {
                    throw tooFarApart();
                }
            });
            return Question.whole(comparison.json(differences, what, changes).updatedWith(question.origin()));
        }
    }

    private static RefusedException tooFarApart() {
        return new RefusedException(
                422,
                "TooFarApart",
                "More than %,d documents were touched between the two revisions. ".formatted(MOST_COMPARED)
                        + "Compare revisions that are closer, or read both and compare them yourself.");
    }
}
