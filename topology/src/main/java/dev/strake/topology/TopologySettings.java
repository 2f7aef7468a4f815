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
 * @param intake which changes are accepted
 * @param rendering how documents are rendered
 * @param cacheBytes parsed documents that all tasks together keep on the heap, measured as JSON; a tree takes four to five
 *     times as much
 * @param retention which revisions are kept
 * @param secrets what becomes of secrets
 */
public record TopologySettings(
        Topics topics, Intake intake, RenderRules rendering, long cacheBytes, Retention retention, Secrets secrets) {

    /**
     * The topics that the topology reads and writes.
     *
     * @param prefix of all topic names, including its dot
     * @param partitions number of partitions of each topic; it decides which partition a workspace belongs to
     * @param changesId id of the topic of changes, which is another one if the topic is deleted and created anew
     */
    public record Topics(String prefix, int partitions, String changesId) {}

    /** The default settings of the contract, for topics with this number of partitions. */
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

    /** The same for a topic of changes with this id. */
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
