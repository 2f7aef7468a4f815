package dev.strake.server.metrics;

import java.util.List;

/**
 * The metrics that only Strake has, by the names that Prometheus sees. The one place where they are described: what
 * {@code /metrics} says of them and what {@code docs/metrics.md} says is made of this.
 */
enum OwnMetric {
    RENDER_LATENCY(
            "strake_render_latency_seconds",
            Kind.HISTOGRAM,
            List.of("status"),
            "From the record time of a change until its transaction is committed, by status; with the trace of a change as exemplar"),
    STAGE(
            "strake_stage_seconds",
            Kind.HISTOGRAM,
            List.of("stage"),
            "What the render latency of a change is made of: queue (until it is taken up), decode (until its documents are read), commit-revision (comparing with the head, writing the revision), render (evaluating and publishing), commit (until its transaction is committed)"),
    CHANGES("strake_changes_total", Kind.COUNTER, List.of("status"), "Outcomes by status"),
    CHANGE_DOCUMENTS(
            "strake_change_documents",
            Kind.HISTOGRAM,
            List.of("result"),
            "Documents for each change that made a revision: affected (its rendering could differ), evaluated (rendered again), cut-off (affected and not rendered again), emitted (published), removed (tombstones), derivations (collections and Heat stacks that derived their documents again); the rate of _sum is documents a second"),
    PROBLEMS("strake_problems", Kind.GAUGE, List.of("code"), "Open problems by code"),
    PROBLEM_OPEN(
            "strake_problem_open_seconds",
            Kind.GAUGE,
            List.of("workspace", "document", "code"),
            "Age of the oldest open problems, 20 at the most; the document is schema/layer/name, or * for the workspace as a whole"),
    DEAD_LETTERS("strake_dead_letters_total", Kind.COUNTER, List.of(), "Records of no workspace"),
    STALENESS(
            "strake_staleness_seconds",
            Kind.GAUGE,
            List.of("class"),
            "Age of the oldest change that consumers do not have: behind (it is not rendered yet), held (problems keep consumers at an older revision)"),
    WORKSPACE_STALENESS(
            "strake_workspace_staleness_seconds",
            Kind.GAUGE,
            List.of("workspace"),
            "Staleness of the stalest workspaces, at most 10; less than a second is left out"),
    WORKSPACES(
            "strake_workspaces",
            Kind.GAUGE,
            List.of("state"),
            "Workspaces that have documents, by what became of their last revision"),
    DOCUMENTS("strake_documents", Kind.GAUGE, List.of(), "Documents of all workspaces"),
    REVISIONS(
            "strake_revisions",
            Kind.GAUGE,
            List.of(),
            "Revisions that are kept of all workspaces, without older ones that are tagged"),
    RENDERED_DOCUMENTS(
            "strake_rendered_documents",
            Kind.GAUGE,
            List.of(),
            "Rendered documents that consumers of all workspaces hold"),
    LARGEST_FAN_OUT(
            "strake_largest_fan_out_documents",
            Kind.GAUGE,
            List.of(),
            "The most documents that one change affected within the last hour"),
    STORE_BYTES(
            "strake_store_bytes",
            Kind.GAUGE,
            List.of("store"),
            "Size of a store in all its partitions: files, and what is not written to them yet"),
    STORE_ENTRIES("strake_store_entries", Kind.GAUGE, List.of("store"), "Entries of a store as RocksDB estimates them"),
    RESTORE_REMAINING(
            "strake_restore_remaining_records",
            Kind.GAUGE,
            List.of("store", "partition"),
            "Records of changelogs that are still to be restored"),
    RESTORE("strake_restore_seconds", Kind.GAUGE, List.of(), "For how long stores are being restored, 0 if none is"),
    PRUNED(
            "strake_pruned_entries_total",
            Kind.COUNTER,
            List.of(),
            "Entries of pruned revisions deleted from the stores"),
    FILES_OUTDATED(
            "strake_files_outdated",
            Kind.GAUGE,
            List.of("files"),
            "1 while changed files for access or secrets cannot be used, so that those read before stay in force; the log says why. The label is tokens, keyset, tls, groups, or keys (of the issuer)"),
    CERTIFICATE_EXPIRY(
            "strake_certificate_expiry_timestamp_seconds",
            Kind.GAUGE,
            List.of(),
            "When the certificate of HTTP in force expires, in seconds since 1970; NaN without TLS");

    /** How a metric behaves. */
    enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    private final String text;
    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker") // all of them are made by List.of
    private final List<String> labels;

    private final String help;

    OwnMetric(String text, Kind kind, List<String> labels, String help) {
        this.text = text;
        this.kind = kind;
        this.labels = labels;
        this.help = help;
    }

    /** Its name as Prometheus has it. */
    String text() {
        return text;
    }

    Kind kind() {
        return kind;
    }

    List<String> labels() {
        return labels;
    }

    String help() {
        return help;
    }
}
