package dev.strake.server.state;

import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.outcome.DifferencesJson;
import dev.strake.topology.query.Differences;
import dev.strake.topology.query.Differences.Difference;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.DerivedRevision;
import java.util.Locale;
import java.util.Optional;

/**
 * What differs between two revisions, place by place. Only documents that differ are read. One that is secret in either
 * revision is redacted in both: a document that becomes secret may have the same data as before.
 */
final class Comparison implements AutoCloseable {

    /** How much the changed places of one answer may take together. */
    private static final long MOST_BYTES = 4 << 20;

    private final Derivations derivations;
    private final WorkspaceQueries state;
    private final String workspace;
    private final Side before;
    private final Side after;
    private final Redaction redaction;

    Comparison(
            Derivations derivations,
            WorkspaceQueries state,
            String workspace,
            long from,
            long to,
            Redaction redaction) {
        this.derivations = derivations;
        this.state = state;
        this.workspace = workspace;
        this.before = new Side(from);
        this.after = new Side(to);
        this.redaction = redaction;
    }

    /** @param changes whether to say how it differs, beside the names of documents */
    MapValue json(Differences differences, MapValue what, boolean changes) {
        DifferencesJson json = new DifferencesJson(changes ? MOST_BYTES : -1);
        differences.documents().forEach((id, difference) -> {
            if (json.isFull()) {
                json.document(id, text(difference));
            } else {
                MapValue old = before.published(id);
                MapValue young = after.published(id);
                Redaction shown = redaction.when(isEncrypted(old) || isEncrypted(young));
                json.document(id, shown.published(old), shown.published(young));
            }
        });
        differences.rendered().forEach((key, difference) -> {
            Problem problem = differences.problems().get(key);
            if (problem != null) {
                json.unrendered(key, text(difference), problem);
            } else if (json.isFull()) {
                json.rendered(key, text(difference));
            } else {
                Rendered old = difference == Difference.CREATED ? Rendered.NOTHING : before.rendered(key);
                Rendered young = difference == Difference.DELETED ? Rendered.NOTHING : after.rendered(key);
                Redaction shown = redaction.when(old.secret || young.secret);
                json.rendered(key, shown.rendered(old.document), shown.rendered(young.document));
            }
        });
        return changes ? json.in(what) : json.in(what).without("complete");
    }

    private static boolean isEncrypted(MapValue document) {
        return document != null && StoragePolicy.isEncrypted(document);
    }

    /** A rendered document; null if it was not there. */
    private record Rendered(MapValue document, boolean secret) {

        private static final Rendered NOTHING = new Rendered(null, false);
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

        Rendered rendered(DocumentKey key) {
            if (lease == null) {
                lease = derivations.open(state, workspace, number);
            }
            DerivedRevision revision = lease.revision();
            Optional<DocumentId> owner = state.owner(workspace, key, number);
            if (owner.isPresent()) {
                MapValue derived = revision.derivedFrom(owner.get()).get(key);
                return new Rendered(derived, isEncrypted(derived));
            }
            DocumentId id = revision.graph().meant(key);
            return new Rendered(
                    revision.document(id).rendered(revision.data(id)),
                    revision.graph().isSecret(id));
        }

        void close() {
            if (lease != null) {
                lease.close();
            }
        }
    }
}
