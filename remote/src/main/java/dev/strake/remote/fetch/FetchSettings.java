package dev.strake.remote.fetch;

import dev.strake.client.Cluster;
import dev.strake.remote.fetch.policy.FetchPolicy;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How a fetcher works.
 *
 * @param kafka where resources are, and where changes go
 * @param policy where it may go
 * @param interval between two looks at a source, for resources that do not say it
 * @param state a folder for copies of repositories; made anew if they are lost
 * @param secrets what it can do with secrets
 */
public record FetchSettings(Kafka kafka, FetchPolicy policy, Duration interval, Path state, SecretsOfFetcher secrets) {

    /** The group, unless an installation has another one. */
    public static final String GROUP = "strake-fetch";

    /** The interval of Razee. */
    public static final Duration INTERVAL = Duration.ofMinutes(5);

    /**
     * The topics, and how they are reached.
     *
     * @param prefix of the topics' names
     * @param group of the fetchers that share the work
     * @param timeout for each answer of Kafka, and for each outcome
     */
    public record Kafka(Cluster cluster, String prefix, String group, Duration timeout) {}
}
