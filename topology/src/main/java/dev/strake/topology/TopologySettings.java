package dev.strake.topology;

import dev.strake.engine.limit.RenderLimits;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.text.Limits;
import dev.strake.topology.apply.Intake;
import dev.strake.topology.apply.Intake.Tags;
import dev.strake.topology.apply.RenderRules;
import dev.strake.topology.apply.Secrets;
import dev.strake.topology.history.Retention;
import java.time.Duration;

/**
 * The settings of the topology.
 *
 * @param intake which changes the topology accepts
 * @param rendering how documents are rendered
 * @param cacheBytes size of the document cache of all tasks, measured as JSON; trees take four to five times as much
 * @param retention which revisions are kept
 * @param secrets how the topology handles secrets
 */
public record TopologySettings(
        Topics topics, Intake intake, RenderRules rendering, long cacheBytes, Retention retention, Secrets secrets) {

    /**
     * The topics that the topology reads and writes.
     *
     * @param prefix the prefix of all topic names, including its dot
     * @param partitions the number of partitions of each topic, which determines the partition of a workspace
     * @param changesId id of the topic of changes; it differs if the topic is deleted and created again
     */
    public record Topics(String prefix, int partitions, String changesId) {}

    /** The default settings of the contract, for the given number of partitions. */
    public static TopologySettings of(int partitions) {
        return new TopologySettings(
                new Topics("strake.", partitions, "unknown"),
                new Intake(
                        Limits.DEFAULT,
                        Duration.ofMinutes(10),
                        Duration.ofDays(7),
                        new Tags(1_000, 256L << 10),
                        RemovalLimit.NONE),
                new RenderRules(false, RenderLimits.DEFAULT),
                64L << 20,
                new Retention(1_000, Duration.ZERO),
                Secrets.IN_CLEAR);
    }

    /** Returns these settings for a topic of changes with the given id. */
    public TopologySettings reading(String changesId) {
        Topics same = new Topics(topics.prefix(), topics.partitions(), changesId);
        return new TopologySettings(same, intake, rendering, cacheBytes, retention, secrets);
    }

    public TopologySettings holdingDocuments(boolean hold) {
        return new TopologySettings(
                topics, intake, new RenderRules(hold, rendering.limits()), cacheBytes, retention, secrets);
    }

    public TopologySettings withLimits(Limits limits) {
        return accepting(intake.with(limits));
    }

    public TopologySettings accepting(Intake other) {
        return new TopologySettings(topics, other, rendering, cacheBytes, retention, secrets);
    }

    public TopologySettings rendering(RenderLimits limits) {
        RenderRules other = new RenderRules(rendering.holdDocuments(), limits);
        return new TopologySettings(topics, intake, other, cacheBytes, retention, secrets);
    }

    public TopologySettings retaining(Retention other) {
        return new TopologySettings(topics, intake, rendering, cacheBytes, other, secrets);
    }

    public TopologySettings withSecrets(Secrets other) {
        return new TopologySettings(topics, intake, rendering, cacheBytes, retention, other);
    }

    public TopologySettings caching(long bytes) {
        return new TopologySettings(topics, intake, rendering, bytes, retention, secrets);
    }
}
