package dev.strake.server.health;

import java.util.function.Supplier;

/**
 * The three questions an orchestrator asks; they differ in what it does on a no.
 *
 * @param started no: wait longer before asking the others; yes once the cluster was reached and the topics are as
 *     they have to be
 * @param ready no: send nobody here; state is being restored or tasks are assigned elsewhere
 * @param live no: start the process anew; nothing else will help
 */
public record Probes(Supplier<Health> started, Supplier<Health> ready, Supplier<Health> live) {}
