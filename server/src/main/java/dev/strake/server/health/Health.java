package dev.strake.server.health;

/**
 * How the pipeline is. Asked at each request, therefore cheap and safe from any thread.
 *
 * @param fine whether the answer is 200 rather than 503
 * @param state a word for people, such as {@code RUNNING} or {@code REBALANCING}
 * @param reason why it is not fine, in a sentence without its end; null if it is
 */
public record Health(boolean fine, String state, String reason) {}
