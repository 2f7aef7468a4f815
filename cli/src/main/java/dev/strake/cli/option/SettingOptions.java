package dev.strake.cli.option;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.settings.Setting;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.SettingsSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options for settings {@code strake.*}: from a file, one by one, and the most common ones by name. */
public final class SettingOptions {

    @Spec(Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = "${env:STRAKE_CONFIG}",
            description = "A properties file with settings strake.*. The environment (STRAKE_*) overrides it.")
    private Optional<Path> file = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description =
                    "A setting, such as strake.limits.documents=1000; overrides environment and file. 'strake config "
                            + "list' lists all.")
    private Map<String, String> given = new LinkedHashMap<>();

    /**
     * Creates a command with an option for each of some settings, described as in the catalogue.
     *
     * @param defaults override the usual defaults
     */
    public static CommandLine command(Object command, List<Setting<?>> named, SettingsSource... defaults) {
        CommandLine line = new CommandLine(command);
        add(line, named, defaults);
        return line;
    }

    /** Adds an option for each of some settings to a command. */
    public static void add(CommandLine line, List<Setting<?>> named, SettingsSource... defaults) {
        for (Setting<?> setting : named) {
            String value = setting.defaultValue();
            for (SettingsSource source : defaults) {
                SettingsSource.Given given = source.given().get(setting.name());
                value = given == null ? value : given.text();
            }
            OptionSpec.Builder option = OptionSpec.builder(setting.option())
                    .description(setting.effect() + (value.isEmpty() || setting.isSwitch() ? "" : " Default: " + value))
                    .userObject(setting);
            if (setting.isSwitch()) {
                option.arity("0").type(boolean.class);
            } else {
                option.arity("1").type(String.class).paramLabel(setting.kind().placeholder());
            }
            line.getCommandSpec().addOption(option.build());
        }
    }

    /**
     * Returns the settings of the command line, the environment and the file.
     *
     * @param defaults override the usual defaults
     * @throws ParameterException if a setting is unknown, or its value is invalid
     */
    public Settings settings(Map<String, String> environment, SettingsSource... defaults) {
        try {
            List<SettingsSource> sources = new ArrayList<>(List.of(defaults));
            file.ifPresent(path -> sources.add(SettingsSource.file(path)));
            sources.add(SettingsSource.environment(environment));
            sources.add(SettingsSource.named("option --set", given));
            for (OptionSpec option : command.options()) {
                if (option.userObject() instanceof Setting<?> setting && isGiven(option)) {
                    String text = option.getValue().toString();
                    sources.add(SettingsSource.of("option " + setting.option(), Map.of(setting, text)));
                }
            }
            return Settings.of(sources);
        } catch (MisconfiguredException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private static boolean isGiven(OptionSpec option) {
        return option.getValue() != null && !option.getValue().equals(false);
    }
}
