package dev.strake.remote.metrics;

import java.util.List;

/**
 * The metrics of fetchers and appliers, by the names that Prometheus sees. The one place where they are described: what
 * {@code /metrics} says of them and what {@code docs/metrics.md} says is made of this.
 */
enum RemoteMetric {
    FETCH_ATTEMPTS(
            "strake_fetch_attempts_total",
            Kind.COUNTER,
            List.of("state", "code"),
            "Attempts to fetch a resource, by what came of it (ok, held, failed) and the code of the problem; none if there is none"),
    FETCH_RESOURCES(
            "strake_fetch_resources",
            Kind.GAUGE,
            List.of("state"),
            "Resources of this fetcher, by what came of the last attempt"),
    FETCH_TROUBLE(
            "strake_fetch_trouble_seconds",
            Kind.GAUGE,
            List.of("workspace", "resource", "state"),
            "For how long resources have failed or been held, those for which it is longest, 20 at the most. It counts from the last success if that is known, otherwise from the first such attempt of this fetcher"),
    FETCH_BYTES(
            "strake_fetch_bytes_total",
            Kind.COUNTER,
            List.of(),
            "Bytes of answers that were read over HTTP, as they came; without git over ssh and from files"),
    APPLY_REVISION(
            "strake_apply_revision",
            Kind.GAUGE,
            List.of("workspace"),
            "The revision of the last step that was taken; 0 before the first one"),
    APPLY_BEHIND(
            "strake_apply_behind_seconds",
            Kind.GAUGE,
            List.of("workspace"),
            "For how long the target has not had all of the workspace: Kafka or the target cannot be reached, a step is held, or documents failed or are held. 0 if it has all"),
    APPLY_STEPS(
            "strake_apply_steps_total",
            Kind.COUNTER,
            List.of("result"),
            "Steps by what came of them: applied, held (too much would be removed), failed (Kafka or the target cannot be reached)"),
    APPLY_CHANGES(
            "strake_apply_changes_total",
            Kind.COUNTER,
            List.of("kind"),
            "Files or objects by what happened to them: create, replace, remove, restore (drifted, and put right), drifted (left so), foreign (not ours), held, failed"),
    APPLY_DOCUMENTS(
            "strake_apply_documents",
            Kind.GAUGE,
            List.of("status"),
            "Documents by the last result: applied, held, failed, drifted"),
    APPLY_REQUESTS(
            "strake_apply_api_requests_total",
            Kind.COUNTER,
            List.of("method", "code"),
            "Requests to the API server of a cluster, by the code of the answer; none if there was no answer");

    /** How a metric behaves. */
    enum Kind {
        COUNTER,
        GAUGE
    }

    private final String text;
    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker") // all of them are made by List.of
    private final List<String> labels;

    private final String help;

    RemoteMetric(String text, Kind kind, List<String> labels, String help) {
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
