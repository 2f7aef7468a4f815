package dev.strake.cli.remote;

import dev.strake.server.metrics.Metric;
import java.util.List;

/** The metrics of fetchers and appliers. */
final class RemoteMetrics {

    static final Metric FETCH_ATTEMPTS = Metric.of(
            "strake_fetch_attempts_total",
            "Attempts to fetch a resource, by result (ok, held, failed) and code of the problem (none without one)",
            "state",
            "code");

    static final Metric FETCH_RESOURCES = Metric.of(
            "strake_fetch_resources", "Resources of this fetcher, by the result of the last attempt", "state");

    static final Metric FETCH_TROUBLE = Metric.of(
            "strake_fetch_trouble_seconds",
            "How long resources have failed or been held, the 20 longest. Counts from the last success if known, "
                    + "otherwise from the first such attempt of this fetcher",
            "workspace",
            "resource",
            "state");

    static final Metric APPLY_REVISION = Metric.of(
            "strake_apply_revision", "The revision of the last completed step; 0 before the first one", "workspace");

    static final Metric APPLY_BEHIND = Metric.of(
            "strake_apply_behind_seconds",
            "How long the target has been behind: before the first step, while Kafka or the target cannot be reached, "
                    + "or while documents fail. 0 if it is not; what is held does not count",
            "workspace");

    static final Metric APPLY_HELD = Metric.of(
            "strake_apply_held_seconds",
            "How long a step or documents have been held, until somebody acts. 0 if nothing is held",
            "workspace");

    static final Metric APPLY_STEPS = Metric.of(
            "strake_apply_steps_total",
            "Steps by result: applied, held (too much would be removed), failed (Kafka or the target cannot be "
                    + "reached)",
            "result");

    static final Metric APPLY_CHANGES = Metric.of(
            "strake_apply_changes_total",
            "Files or objects by action: create, replace, remove, restore (drifted, and corrected), drifted (left as "
                    + "it is), foreign (not ours), held, failed, omitted (it has secrets)",
            "kind");

    static final Metric APPLY_DOCUMENTS = Metric.of(
            "strake_apply_documents",
            "Documents by the last result: applied, held, failed, drifted, omitted",
            "status");

    static final Metric APPLY_REQUESTS = Metric.of(
            "strake_apply_api_requests_total",
            "Requests to the API server of a cluster, by status code; none without a response",
            "method",
            "code");

    /** All metrics, in the order in which they are shown. */
    static final List<Metric> ALL = List.of(
            FETCH_ATTEMPTS,
            FETCH_RESOURCES,
            FETCH_TROUBLE,
            APPLY_REVISION,
            APPLY_BEHIND,
            APPLY_HELD,
            APPLY_STEPS,
            APPLY_CHANGES,
            APPLY_DOCUMENTS,
            APPLY_REQUESTS);

    private RemoteMetrics() {}
}
