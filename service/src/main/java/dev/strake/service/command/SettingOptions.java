package dev.strake.service.command;

import dev.strake.service.pipeline.WorkSettings;
import dev.strake.topology.TopologySettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options by which the settings {@code strake.*} are given: from a file, or one by one. */
class SettingOptions {

    @Spec(Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Settings strake.* as Java properties: limits, times, what a problem holds back.")
    private Optional<Path> file = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "One such setting, for instance strake.limits.documents=1000; goes before the file.")
    private Map<String, String> given = new LinkedHashMap<>();

    /** What was given by name alone, which goes before everything else. */
    Map<String, String> byName() {
        return Map.of();
    }

    final TopologySettings settings() throws IOException {
        Map<String, String> all = new HashMap<>();
        if (file.isPresent()) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file.get())) {
                properties.load(reader);
            }
            properties.stringPropertyNames().forEach(name -> all.put(name, properties.getProperty(name)));
        }
        all.putAll(given);
        all.putAll(byName());
        try {
            return WorkSettings.of(all);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }
}
