package dev.strake.server.metrics;

import java.util.List;

/** The metrics that only Strake has. */
final class OwnMetrics {

    static final Metric RENDER_LATENCY = Metric.of(
            "strake_render_latency_seconds",
            "From the record time of a change until its transaction is committed, by status",
            "status");

    static final Metric STAGE = Metric.of(
            "strake_stage_seconds",
            "Parts of the render latency of a change: queue (until its processing begins), decode (until its "
                    + "documents are read), commit-revision (comparing with the head, writing the revision), render "
                    + "(evaluating and publishing), commit (until its transaction is committed)",
            "stage");

    static final Metric SLOW_CHANGES = Metric.of(
            "strake_slow_changes_total",
            "Changes that took longer than strake.slow-change, by the stage that took longest; the log and /slow name "
                    + "them",
            "stage");

    static final Metric CHANGES = Metric.of("strake_changes_total", "Outcomes by status", "status");

    static final Metric CHANGE_DOCUMENTS = Metric.of(
            "strake_change_documents",
            "Documents of each change that made a revision: affected (its rendering could differ), evaluated "
                    + "(rendered again), cut-off (evaluated with the same result, so that nothing follows), emitted "
                    + "(published), removed (tombstones), derivations (collections and Heat stacks derived again); "
                    + "the rate of _sum is documents per second",
            "result");

    static final Metric PROBLEMS = Metric.of("strake_problems", "Open problems by code", "code");

    static final Metric PROBLEM_OPEN = Metric.of(
            "strake_problem_open_seconds",
            "Age of the oldest open problems, 20 at the most; the document is schema/layer/name, or * for the workspace as a whole",
            "workspace",
            "document",
            "code");

    static final Metric DEAD_LETTERS = Metric.of("strake_dead_letters_total", "Records of no workspace");

    static final Metric STALENESS = Metric.of(
            "strake_staleness_seconds",
            "Age of the oldest change that consumers do not have: behind (it waits or is being rendered), held (problems keep consumers at an older revision)",
            "class");

    static final Metric WORKSPACE_STALENESS = Metric.of(
            "strake_workspace_staleness_seconds",
            "Staleness of the stalest workspaces, at most 10; less than a second is left out",
            "workspace");

    static final Metric WORKSPACES = Metric.of(
            "strake_workspaces", "Workspaces that have documents, by the result of their last revision", "state");

    static final Metric DOCUMENTS = Metric.of("strake_documents", "Documents of all workspaces");

    static final Metric REVISIONS = Metric.of(
            "strake_revisions", "Revisions that are kept of all workspaces, without older ones that are tagged");

    static final Metric RENDERED_DOCUMENTS =
            Metric.of("strake_rendered_documents", "Rendered documents that consumers of all workspaces hold");

    static final Metric RESTORE =
            Metric.of("strake_restore_seconds", "How long stores have been restoring, 0 if none is");

    static final Metric FILES_OUTDATED = Metric.of(
            "strake_files_outdated",
            "1 while changed files for access or secrets cannot be used, and the previous ones stay in force; the log "
                    + "says why. The label is tokens, keyset, tls, groups (or roles); or issuer or keystone, while "
                    + "they do not answer",
            "files");

    static final Metric CERTIFICATE_EXPIRY = Metric.of(
            "strake_certificate_expiry_timestamp_seconds",
            "When the certificate of HTTP in force expires, in seconds since 1970; NaN without TLS");

    /** All metrics, in display order. */
    static final List<Metric> ALL = List.of(
            RENDER_LATENCY,
            STAGE,
            SLOW_CHANGES,
            CHANGES,
            CHANGE_DOCUMENTS,
            PROBLEMS,
            PROBLEM_OPEN,
            DEAD_LETTERS,
            STALENESS,
            WORKSPACE_STALENESS,
            WORKSPACES,
            DOCUMENTS,
            REVISIONS,
            RENDERED_DOCUMENTS,
            RESTORE,
            FILES_OUTDATED,
            CERTIFICATE_EXPIRY);

    private OwnMetrics() {}
}
