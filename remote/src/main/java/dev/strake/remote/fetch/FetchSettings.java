package dev.strake.remote.fetch;

import dev.strake.client.Cluster;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How a fetcher works.
 *
 * @param cluster where the topics are
 * @param prefix of the topics' names
 * @param group of the fetchers that share the work
 * @param policy where it may go
 * @param interval between two looks at a source, for resources that do not say it
 * @param workers how many resources are fetched side by side
 * @param state a folder for copies of repositories; made anew if they are lost
 * @param timeout for each answer of Kafka, and for each outcome
 * @param secrets what it can do with secrets
 */
public record FetchSettings(
        Cluster cluster,
        String prefix,
        String group,
        FetchPolicy policy,
        Duration interval,
        int workers,
        Path state,
        Duration timeout,
        SecretsOfFetcher secrets) {

    /** The group, unless an installation has another one. */
    public static final String GROUP = "strake-fetch";

    /** The interval of Razee. */
    public static final Duration INTERVAL = Duration.ofMinutes(5);

    /** Fetching is waiting, mostly. */
    public static final int WORKERS = 8;
}
