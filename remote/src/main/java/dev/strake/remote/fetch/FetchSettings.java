package dev.strake.remote.fetch;

import dev.strake.client.Cluster;
import dev.strake.remote.fetch.policy.FetchPolicy;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of a fetcher.
 *
 * @param kafka the topics of resources and changes
 * @param policy the places that may be fetched from
 * @param interval the default interval between two fetches of a resource
 * @param state a folder for copies of repositories; they are created again if they are lost
 * @param secrets how secrets are sealed and opened
 */
public record FetchSettings(Kafka kafka, FetchPolicy policy, Duration interval, Path state, SecretsOfFetcher secrets) {

    /** The default consumer group. */
    public static final String GROUP = "strake-fetch";

    /** The interval of Razee. */
    public static final Duration INTERVAL = Duration.ofMinutes(5);

    /**
     * The topics, and how to access them.
     *
     * @param prefix the prefix of the topics' names
     * @param group the group of the fetchers that share the work
     * @param timeout the timeout for each response of Kafka, and for each outcome
     */
    public record Kafka(Cluster cluster, String prefix, String group, Duration timeout) {}
}
