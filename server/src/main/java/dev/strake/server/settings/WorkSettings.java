package dev.strake.server.settings;

import dev.strake.engine.limit.RenderLimits;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.SecretsOutput;
import dev.strake.serdes.text.Limits;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.TopologySettings.Topics;
import dev.strake.topology.apply.Intake;
import dev.strake.topology.apply.RenderRules;
import dev.strake.topology.apply.Secrets;
import dev.strake.topology.history.Retention;

/** Converts settings of the operator to settings of the topology. */
public final class WorkSettings {

    private WorkSettings() {}

    /**
     * Returns the settings of a topology, without the id of its topic and without keys.
     *
     * @param partitions the actual partition count of its topics
     */
    public static TopologySettings of(Settings settings, int partitions) {
        TopologySettings usual = TopologySettings.of(partitions);
        Intake intake = usual.intake();
        return new TopologySettings(
                new Topics(
                        settings.get(Catalogue.TOPIC_PREFIX),
                        partitions,
                        usual.topics().changesId()),
                new Intake(
                        limits(settings),
                        intake.incompleteAfter(),
                        settings.get(Catalogue.FORGET_CHANGES_AFTER),
                        intake.tags(),
                        settings.get(Catalogue.BUCKET_REMOVALS)),
                rendering(settings),
                settings.get(Catalogue.CACHE_BYTES),
                new Retention(settings.get(Catalogue.HISTORY_REVISIONS), settings.get(Catalogue.HISTORY_AGE)),
                Secrets.IN_CLEAR);
    }

    /**
     * Returns how secrets are handled.
     *
     * @param cleartextTopic whether the topic of secrets in clear text exists
     */
    public static Secrets secrets(Settings settings, InstalledKeys keys, boolean cleartextTopic) {
        return new Secrets(
                keys,
                settings.get(Catalogue.REQUIRE_SEALED),
                SecretsOutput.of(settings.get(Catalogue.SECRETS_OUTPUT)),
                cleartextTopic);
    }

    public static Limits limits(Settings settings) {
        return new Limits(
                new Limits.OfChange(
                        settings.get(Catalogue.CHANGE_BYTES),
                        Limits.DEFAULT.change().nodes(),
                        settings.get(Catalogue.DOCUMENTS),
                        Limits.DEFAULT.change().parts()),
                new Limits.OfDocument(
                        settings.get(Catalogue.DOCUMENT_BYTES),
                        settings.get(Catalogue.DEPTH),
                        settings.get(Catalogue.ALIASES),
                        settings.get(Catalogue.NODES)));
    }

    public static RenderRules rendering(Settings settings) {
        RenderLimits usual = RenderLimits.DEFAULT;
        RenderLimits limits = new RenderLimits(
                settings.get(Catalogue.RENDERED_BYTES),
                usual.depth(),
                settings.get(Catalogue.LIST_PADDING),
                usual.effort(),
                usual.changeEffort());
        return new RenderRules(settings.get(Catalogue.ON_PROBLEM).equals("hold-document"), limits);
    }
}
