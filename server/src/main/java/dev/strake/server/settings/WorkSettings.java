package dev.strake.server.settings;

import dev.strake.engine.limit.RenderLimits;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.SecretsOutput;
import dev.strake.serdes.text.Limits;
import dev.strake.topology.TopologySettings;
import dev.strake.topology.TopologySettings.Topics;
import dev.strake.topology.apply.Intake;
import dev.strake.topology.apply.Intake.Room;
import dev.strake.topology.apply.Intake.Tags;
import dev.strake.topology.apply.RenderRules;
import dev.strake.topology.apply.Secrets;
import dev.strake.topology.history.Retention;
import dev.strake.topology.store.Memory;

/** How the work is done, put together from settings in the form in which the topology takes it. */
public final class WorkSettings {

    private WorkSettings() {}

    /**
     * The settings of a topology, which does not know yet which topic it reads, and with which keys.
     *
     * @param partitions that its topics have in fact
     */
    public static TopologySettings of(Settings settings, int partitions) {
        String unknown = TopologySettings.of(partitions).topics().changesId();
        return new TopologySettings(
                new Topics(settings.get(Catalogue.TOPIC_PREFIX), partitions, unknown),
                new Intake(
                        limits(settings),
                        settings.get(Catalogue.INCOMPLETE_AFTER),
                        settings.get(Catalogue.FORGET_CHANGES_AFTER),
                        new Room(
                                settings.get(Catalogue.INCOMPLETE_WORKSPACE_CHANGES),
                                settings.get(Catalogue.INCOMPLETE_WORKSPACE_BYTES)),
                        new Room(settings.get(Catalogue.INCOMPLETE_CHANGES), settings.get(Catalogue.INCOMPLETE_BYTES)),
                        new Tags(settings.get(Catalogue.TAGS), settings.get(Catalogue.TAG_BYTES)),
                        settings.get(Catalogue.BUCKET_REMOVALS)),
                rendering(settings),
                new Memory(settings.get(Catalogue.CACHE_BYTES), settings.get(Catalogue.IDLE_AFTER)),
                new Retention(settings.get(Catalogue.HISTORY_REVISIONS), settings.get(Catalogue.HISTORY_AGE)),
                Secrets.IN_CLEAR);
    }

    /**
     * What becomes of secrets.
     *
     * @param cleartextTopic whether the topic of secret documents in clear text is there
     */
    public static Secrets secrets(Settings settings, InstalledKeys keys, boolean cleartextTopic) {
        return new Secrets(
                keys,
                settings.get(Catalogue.REQUIRE_SEALED),
                SecretsOutput.of(settings.get(Catalogue.SECRETS_OUTPUT)),
                cleartextTopic);
    }

    /** Limits on what is read. */
    public static Limits limits(Settings settings) {
        return new Limits(
                settings.get(Catalogue.CHANGE_BYTES),
                settings.get(Catalogue.DOCUMENT_BYTES),
                settings.get(Catalogue.DEPTH),
                settings.get(Catalogue.ALIASES),
                settings.get(Catalogue.NODES),
                settings.get(Catalogue.CHANGE_NODES),
                settings.get(Catalogue.DOCUMENTS),
                settings.get(Catalogue.PARTS));
    }

    /** How documents are rendered. */
    public static RenderRules rendering(Settings settings) {
        RenderLimits limits = new RenderLimits(
                settings.get(Catalogue.RENDERED_BYTES),
                settings.get(Catalogue.RENDERED_DEPTH),
                settings.get(Catalogue.LIST_PADDING),
                settings.get(Catalogue.EFFORT),
                settings.get(Catalogue.CHANGE_EFFORT));
        return new RenderRules(settings.get(Catalogue.ON_PROBLEM).equals("hold-document"), limits);
    }
}
