package dev.strake.server.state;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.outcome.DifferencesJson;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.query.WorkspaceQueries.Difference;
import dev.strake.topology.query.WorkspaceQueries.Differences;
import dev.strake.topology.store.DerivedRevision;
import java.util.Locale;
import java.util.Optional;

/** What differs between two revisions, place by place. Only documents that differ are read. */
final class Comparison implements AutoCloseable {

    /** How much the changed places of one answer may take together. */
    private static final long MOST_BYTES = 4 << 20;

    private final Derivations derivations;
    private final WorkspaceQueries state;
    private final String workspace;
    private final Side before;
    private final Side after;

    Comparison(Derivations derivations, WorkspaceQueries state, String workspace, long from, long to) {
        this.derivations = derivations;
        this.state = state;
        this.workspace = workspace;
        this.before = new Side(from);
        this.after = new Side(to);
    }

    /** What differs, with the names of documents alone. */
    static MapValue names(Differences differences, MapValue what) {
        DifferencesJson json = new DifferencesJson(0);
        differences.documents().forEach((id, difference) -> json.document(id, text(difference)));
        differences.rendered().forEach((key, difference) -> json.rendered(key, text(difference)));
        return json.in(what).without("complete");
    }

    /** What differs, and how. */
    MapValue changes(Differences differences, MapValue what) {
        DifferencesJson json = new DifferencesJson(MOST_BYTES);
        differences.documents().forEach((id, difference) -> {
            if (json.isFull()) {
                json.document(id, text(difference));
            } else {
                json.document(id, before.published(id), after.published(id));
            }
        });
        differences.rendered().forEach((key, difference) -> {
            if (json.isFull()) {
                json.rendered(key, text(difference));
            } else {
                json.rendered(
                        key,
                        difference == Difference.CREATED ? null : before.rendered(key),
                        difference == Difference.DELETED ? null : after.rendered(key));
            }
        });
        return json.in(what);
    }

    private static String text(Difference difference) {
        return difference.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() {
        before.close();
        after.close();
    }

    /** One of the two revisions. What it renders to is worked out when it is first asked for. */
    private final class Side {

        private final long number;
        private Derivations.Lease lease;

        Side(long number) {
            this.number = number;
        }

        MapValue published(DocumentId id) {
            return state.document(workspace, id, number).orElse(null);
        }

        MapValue rendered(DocumentKey key) {
            if (lease == null) {
                int documents = state.revision(workspace, number)
                        .map(revision -> revision.documents().total())
                        .orElse(0);
                lease = derivations.open(state, workspace, number, documents);
            }
            DerivedRevision revision = lease.revision();
            Optional<DocumentId> owner = state.owner(workspace, key, number);
            if (owner.isPresent()) {
                return revision.derivedFrom(owner.get()).get(key);
            }
            DocumentId id = revision.graph().meant(key);
            return revision.document(id).rendered(revision.data(id));
        }

        void close() {
            if (lease != null) {
                lease.close();
            }
        }
    }
}
