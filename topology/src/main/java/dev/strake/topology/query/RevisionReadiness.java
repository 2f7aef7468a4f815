package dev.strake.topology.query;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.readiness.ReadinessReport;
import dev.strake.engine.readiness.SchemaValidation;
import dev.strake.engine.readiness.ValidationPolicies;
import dev.strake.engine.readiness.ValidationResult;
import dev.strake.topology.layout.DocumentsLayout.Entry;
import dev.strake.topology.store.StoredRevision.Read;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Computes from the stores whether a revision is ready. */
public final class RevisionReadiness {

    private final WorkspaceQueries state;
    private final String workspace;
    private final long revision;
    private final List<Document> policies;

    /** @param revision a revision with a lease; or 0 */
    public RevisionReadiness(WorkspaceQueries state, String workspace, long revision) {
        this.state = state;
        this.workspace = workspace;
        this.revision = revision;
        try (Stream<Read<Entry>> all =
                state.at(workspace, revision).documents(null, id -> Kind.isValidationPolicy(id.schema()))) {
            this.policies = all.map(read -> read.entry().document()).toList();
        }
    }

    /** Whether the revision has validation policies; if not, it is ready. */
    public boolean hasPolicies() {
        return !policies.isEmpty();
    }

    /**
     * Returns the readiness report of the revision.
     *
     * @param now the time of the report, in milliseconds
     */
    public ReadinessReport report(long now) {
        List<ValidationResult> derived =
                SchemaValidation.of(written(), state.problems(workspace, revision, SchemaValidation.MOST), now);
        return ReadinessReport.of(
                ValidationPolicies.of(policies), derived, state.history().results(workspace, revision), now);
    }

    /* The documents of the bucket that the revision wrote; after a rollback, the restored ones. */
    private List<DocumentId> written() {
        String bucket = state.history()
                .revision(workspace, revision)
                .map(each -> each.change().bucket())
                .orElse(null);
        record Written(DocumentId id, Entry entry) {}
        try (Stream<Read<Entry>> all = state.at(workspace, revision).documents(null)) {
            return all.filter(read -> bucket == null
                            ? read.entry().since() == revision
                            : read.entry().bucket().equals(bucket))
                    // without the documents, which may be many
                    .map(read -> new Written(
                            read.id(),
                            new Entry(
                                    null,
                                    null,
                                    read.entry().since(),
                                    read.entry().place())))
                    .sorted(Comparator.comparing(Written::entry, Entry.CREATION))
                    .map(Written::id)
                    .toList();
        }
    }
}
