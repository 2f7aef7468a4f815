package dev.strake.cli.operate;

import dev.strake.cli.option.ClusterOptions;
import dev.strake.cli.option.ListFormatOption;
import dev.strake.cli.option.SettingOptions;
import dev.strake.cli.output.AnswerFields;
import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.Table;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.text.YamlOutput;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Setting;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.SettingsSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "config", description = "Show the effective settings and their sources, or list all settings.")
public final class ConfigCommand extends TerminalCommand {

    /** Returns the command with the options of settings. */
    public static CommandLine withOptions(TerminalCommand command) {
        CommandLine config = new CommandLine(command);
        SettingOptions.add(config.getSubcommands().get("show"), ServeCommand.OPTIONS);
        return config;
    }

    @Override
    public Integer call() {
        throw usage("Missing command: 'strake config show' or 'strake config list'.");
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = {
                "Show the value of each setting, and where it was given.",
                "",
                "Takes the options of 'serve', and reads the same environment and files. Options override the "
                        + "environment, which overrides files, which override defaults. Settings of Kafka clients "
                        + "are shown if they are set, secrets as ***.",
            },
            footer = {
                "",
                "@|bold Examples|@",
                "  strake config show",
                "  strake config show --up",
                "  strake config show --config strake.properties -o json",
            })
    void show(
            @Mixin ClusterOptions cluster,
            @Mixin SettingOptions options,
            @Mixin ListFormatOption format,
            @Option(names = "--up", description = "Show the settings of 'strake up' instead of 'strake serve'.")
                    boolean up) {
        SettingsSource[] defaults = up ? new SettingsSource[] {Catalogue.DEFAULTS_OF_UP} : new SettingsSource[0];
        Settings settings = options.settings(System.getenv(), defaults);
        List<MapValue> all = new ArrayList<>();
        new PipelineSettings(cluster.settings(System.getenv()), settings)
                .effective()
                .forEach((name, given) -> all.add(MapValue.builder()
                        .put("name", name)
                        .put("value", given.text())
                        .put("origin", given.origin())
                        .build()));
        print(format, all);
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "List all settings: default, allowed values, effect.",
            footer = {"", "@|bold Example|@", "  strake config list -o yaml"})
    void list(@Mixin ListFormatOption format) {
        print(format, Catalogue.ALL.stream().map(ConfigCommand::item).toList());
    }

    private static MapValue item(Setting<?> setting) {
        return MapValue.builder()
                .put("name", setting.name())
                .put("default", setting.defaultValue())
                .put("unit", setting.kind().unit())
                .put("range", setting.kind().range())
                .put("effect", setting.effect())
                .put("note", setting.note())
                .build();
    }

    private void print(ListFormatOption format, List<MapValue> items) {
        switch (format.value()) {
            case JSON -> JsonOutput.printArray(terminal.out(), items);
            case YAML -> YamlOutput.print(terminal.out(), ListValue.of(items));
            case TABLE -> {
                List<String> keys = List.copyOf(items.get(0).keys());
                Table table = new Table(
                        keys.stream().map(key -> key.toUpperCase(Locale.ROOT)).toArray(String[]::new));
                items.forEach(item -> table.add(
                        keys.stream().map(key -> AnswerFields.text(item, key)).toArray()));
                table.print(terminal);
            }
        }
    }
}
