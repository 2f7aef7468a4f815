package dev.strake.cli.remote;

import dev.strake.server.metrics.Metric;
import java.util.List;

/** The metrics of fetchers and appliers. */
final class RemoteMetrics {

    static final Metric FETCH_ATTEMPTS = Metric.of(
            "strake_fetch_attempts_total",
            "Attempts to fetch a resource, by what came of it (ok, held, failed) and the code of the problem; none if there is none",
            "state",
            "code");

    static final Metric FETCH_RESOURCES =
            Metric.of("strake_fetch_resources", "Resources of this fetcher, by what came of the last attempt", "state");

    static final Metric FETCH_TROUBLE = Metric.of(
            "strake_fetch_trouble_seconds",
            "For how long resources have failed or been held, those for which it is longest, 20 at the most. It counts from the last success if that is known, otherwise from the first such attempt of this fetcher",
            "workspace",
            "resource",
            "state");

    static final Metric APPLY_REVISION = Metric.of(
            "strake_apply_revision",
            "The revision of the last step that was taken; 0 before the first one",
            "workspace");

    static final Metric APPLY_BEHIND = Metric.of(
            "strake_apply_behind_seconds",
            "For how long the target has been behind: before the first step, while Kafka or the target cannot be reached, or while documents fail. 0 if it is not; what is held does not count",
            "workspace");

    static final Metric APPLY_HELD = Metric.of(
            "strake_apply_held_seconds",
            "For how long a step or documents have been held: somebody has to act. 0 if nothing is",
            "workspace");

    static final Metric APPLY_STEPS = Metric.of(
            "strake_apply_steps_total",
            "Steps by what came of them: applied, held (too much would be removed), failed (Kafka or the target cannot be reached)",
            "result");

    static final Metric APPLY_CHANGES = Metric.of(
            "strake_apply_changes_total",
            "Files or objects by what happened to them: create, replace, remove, restore (drifted, and put right), drifted (left so), foreign (not ours), held, failed, omitted (it has secrets)",
            "kind");

    static final Metric APPLY_DOCUMENTS = Metric.of(
            "strake_apply_documents",
            "Documents by the last result: applied, held, failed, drifted, omitted",
            "status");

    static final Metric APPLY_REQUESTS = Metric.of(
            "strake_apply_api_requests_total",
            "Requests to the API server of a cluster, by the code of the answer; none if there was no answer",
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
