package dev.strake.server.pipeline;

import java.util.function.Supplier;

/**
 * How the pipeline is. Asked at each request, therefore cheap and safe from any thread.
 *
 * @param fine whether the answer is 200 rather than 503
 * @param state a word for people, such as {@code RUNNING} or {@code REBALANCING}
 * @param reason why it is not fine, in a sentence without its end; null if it is
 */
public record Health(boolean fine, String state, String reason) {

    /**
     * The three questions an orchestrator asks; they differ in what it does on a no.
     *
     * @param started no: wait longer before asking the others; yes once the cluster was reached and the topics are as
     *     they have to be
     * @param ready no: send nobody here; state is being restored or tasks are assigned elsewhere
     * @param live no: start the process anew; nothing else will help
     */
    public record Probes(Supplier<Health> started, Supplier<Health> ready, Supplier<Health> live) {}
}
