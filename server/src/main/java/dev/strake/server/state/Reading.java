package dev.strake.server.state;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.server.state.Listing.Item;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.StoredRevision;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A revision that answers a question.
 *
 * @param revision null for revision 0, which is empty
 */
record Reading(Question question, WorkspaceQueries state, long number, Revision revision) {

    /** What an answer is of. Of a revision with problems consumers may hold another one, so it says which. */
    MapValue what() {
        MapValue what = StateJson.of(question.workspace(), number);
        return revision == null
                ? what
                : what.with("status", new Text(revision.status().text()))
                        .with("renderedRevision", Num.of(revision.published().revision()));
    }

    /** How secrets are shown. */
    Redaction redaction() {
        return question.redaction();
    }

    StoredRevision stored() {
        return state.at(question.workspace(), number);
    }

    int documents() {
        return revision == null ? 0 : revision.documents().total();
    }

    /** The derived document to begin after; null to begin before all of them. */
    DocumentKey afterDerived() {
        List<String> after = question.page().after();
        return after.size() == 4 ? new DocumentKey(after.get(0), after.get(2)) : null;
    }

    /** The document to begin after; null to begin at the first one. */
    DocumentId after() {
        return question.page()
                .after(3)
                .map(name -> new DocumentId(name.get(0), name.get(1), name.get(2)))
                .orElse(null);
    }

    /**
     * A list of this revision.
     *
     * @param whole how many items there have to be where all is read: what is missing then was lost. -1 if that is not known
     */
    Listing listing(Stream<Item> items, long whole) {
        return listing(items, whole, () -> false);
    }

    /**
     * The same.
     *
     * @param enough whether the answer has taken as much work as one may
     */
    Listing listing(Stream<Item> items, long whole, BooleanSupplier enough) {
        return new Listing(question, what(), items, whole, enough);
    }

    /** A problem of a document, and where its author keeps what has to be mended, if the author said so. */
    MapValue withOrigin(Problem problem) {
        MapValue json = ProblemJson.write(problem);
        return state.origin(question.workspace(), problem.documentOfPath(), number)
                .map(origin -> json.with("origin", new Text(origin)))
                .orElse(json);
    }

    static List<String> nameOfDerived(DocumentKey key) {
        return List.of(key.schema(), "", key.name(), "derived");
    }

    static List<String> name(DocumentId id) {
        return List.of(id.schema(), id.layer(), id.name());
    }
}
