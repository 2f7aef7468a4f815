package dev.strake.server.settings;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A place where settings are given.
 *
 * @param given the values by the names of their settings
 */
public record Source(Map<String, Given> given) {

    /**
     * A value and where it stands.
     *
     * @param origin in words for people, such as {@code environment STRAKE_HTTP_PORT}
     */
    public record Given(String text, String origin) {}

    private static final String VARIABLES = "STRAKE_";

    /** Variables that are read by the launcher, by the logging or by options of their own. */
    private static final Set<String> OTHER_VARIABLES = Set.of(
            "STRAKE_JAVA_OPTS",
            "STRAKE_TRAINING",
            "STRAKE_LOG",
            "STRAKE_KAFKA_LOG",
            "STRAKE_DEBUG",
            "STRAKE_CONFIG",
            "STRAKE_KAFKA_CONFIG",
            "STRAKE_URL");

    /** What Kubernetes tells a pod about the services beside it, one of which may be called strake or strake-http. */
    private static final Pattern SERVICE_LINK = Pattern.compile(
            "STRAKE_(\\w+_)?(SERVICE_(HOST|PORT(_\\w+)?)=.*|PORT(_\\d+_(TCP|UDP|SCTP))?=(tcp|udp|sctp)://.*|PORT_\\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)=.*)");

    /** Values from within the program, such as the defaults of a command. */
    public static Source of(String origin, Map<Setting<?>, String> values) {
        Map<String, Given> given = new LinkedHashMap<>();
        values.forEach((setting, value) -> given.put(setting.name(), new Given(value, origin)));
        return new Source(given);
    }

    /** Values by names, as from {@code --set}. */
    public static Source named(String origin, Map<String, String> values) {
        Map<String, Given> given = new LinkedHashMap<>();
        values.forEach((name, value) -> given.put(name, new Given(value, origin)));
        return new Source(given);
    }

    /**
     * A file of Java properties in UTF-8.
     *
     * @throws UncheckedIOException if it cannot be read
     */
    public static Source file(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> values = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> values.put(name, properties.getProperty(name)));
        return named("file " + file, values);
    }

    /**
     * The variables {@code STRAKE_*} of a process.
     *
     * @throws InvalidSettingException if one of them is no setting and nothing else that is known
     */
    public static Source environment(Map<String, String> variables) {
        Map<String, Setting<?>> settings = new TreeMap<>();
        Catalogue.ALL.forEach(setting -> settings.put(setting.variable(), setting));
        Map<String, Given> given = new TreeMap<>();
        variables.forEach((variable, value) -> {
            if (SERVICE_LINK.matcher(variable + "=" + value).matches()) {
                return;
            }
            Setting<?> setting = settings.get(variable);
            if (setting != null) {
                given.put(setting.name(), new Given(value, "environment " + variable));
            } else if (variable.startsWith(VARIABLES) && !OTHER_VARIABLES.contains(variable)) {
                throw new InvalidSettingException(Settings.unknown(variable, "environment", settings.keySet()));
            }
        });
        return new Source(given);
    }
}
