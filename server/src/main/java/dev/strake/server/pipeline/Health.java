package dev.strake.server.pipeline;

import java.util.function.Supplier;

/**
 * The state of the pipeline. Computed for each request, so it has to be cheap and thread-safe.
 *
 * @param fine whether to answer 200 instead of 503
 * @param state for humans, for example {@code RUNNING} or {@code REBALANCING}
 * @param reason why it is not fine, as a sentence without a full stop; null if it is fine
 */
public record Health(boolean fine, String state, String reason) {

    /**
     * The probes of an orchestrator, which differ in its reaction to a failure.
     *
     * @param started if not: wait before the other probes; succeeds when the cluster was reached and the topics are
     *     correct
     * @param ready if not: send no requests; state is being restored, or tasks are being assigned
     * @param live if not: restart the process; nothing else will help
     */
    public record Probes(Supplier<Health> started, Supplier<Health> ready, Supplier<Health> live) {}
}
