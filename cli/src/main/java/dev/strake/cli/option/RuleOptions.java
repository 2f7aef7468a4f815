package dev.strake.cli.option;

import dev.strake.engine.render.DataSchemas;
import dev.strake.engine.render.Renderer;
import dev.strake.serdes.text.Limits;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.WorkSettings;
import dev.strake.topology.apply.RenderRules;
import picocli.CommandLine.Mixin;

/** The settings that apply to documents of files as they do to a service: limits, and what a problem holds back. */
public final class RuleOptions {

    @Mixin
    private SettingOptions options;

    private Settings settings;

    private Settings settings() {
        if (settings == null) {
            settings = options.settings(System.getenv());
        }
        return settings;
    }

    public Limits limits() {
        return WorkSettings.limits(settings());
    }

    /**
     * Returns the renderer for these settings.
     *
     * @param holdDocuments whether an option of the command overrides the setting
     */
    public Renderer renderer(boolean holdDocuments) {
        RenderRules rules = WorkSettings.rendering(settings());
        return new Renderer(holdDocuments || rules.holdDocuments(), rules.limits(), new DataSchemas());
    }
}
