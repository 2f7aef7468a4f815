package dev.strake.server.settings;

import dev.strake.client.MisconfiguredException;
import java.io.IOException;
import java.io.LineNumberReader;
import java.io.StringReader;
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
public record SettingsSource(Map<String, Given> given) {

    /**
     * A value and where it stands.
     *
     * @param origin in words for people, such as {@code environment STRAKE_HTTP_PORT}
     */
    public record Given(String text, String origin) {}

    private static final Pattern COMMENT = Pattern.compile("\\s*[#!]");
    private static final Pattern CONTINUED = Pattern.compile("(?<!\\\\)(\\\\\\\\)*\\\\$");
    private static final String VARIABLES = "STRAKE_";

    /** Variables that are read by the launcher, by the logging or by options of their own. */
    private static final Set<String> OTHER_VARIABLES = Set.of(
            "STRAKE_JAVA_OPTS",
            "STRAKE_CLASS_PATH",
            "STRAKE_LOG",
            "STRAKE_KAFKA_LOG",
            "STRAKE_AUDIT_LOG",
            "STRAKE_DEBUG",
            "STRAKE_CONFIG",
            "STRAKE_KAFKA_CONFIG",
            "STRAKE_URL",
            "STRAKE_TOKEN",
            "STRAKE_TOKEN_FILE",
            "STRAKE_CA_FILE",
            "STRAKE_PUBLIC_KEY_FILE",
            "STRAKE_AUTHOR",
            "STRAKE_WORKSPACE",
            "STRAKE_METRICS_PORT",
            "STRAKE_FETCH_ALLOW_HOST",
            "STRAKE_FETCH_ALLOW_PRIVATE",
            "STRAKE_FETCH_ALLOW_FILES",
            "STRAKE_GIT_USER",
            "STRAKE_GIT_PASSWORD");

    /** What Kubernetes tells a pod about the services beside it, one of which may be called strake or strake-http. */
    private static final Pattern SERVICE_LINK = Pattern.compile(
            "STRAKE_(\\w+_)?(SERVICE_(HOST|PORT(_\\w+)?)=.*|PORT(_\\d+_(TCP|UDP|SCTP))?=(tcp|udp|sctp)://.*|PORT_\\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)=.*)");

    /** Values from within the program, such as the defaults of a command. */
    public static SettingsSource of(String origin, Map<Setting<?>, String> values) {
        Map<String, Given> given = new LinkedHashMap<>();
        values.forEach((setting, value) -> given.put(setting.name(), new Given(value, origin)));
        return new SettingsSource(given);
    }

    /** Values by names, as from {@code --set}. */
    public static SettingsSource named(String origin, Map<String, String> values) {
        Map<String, Given> given = new LinkedHashMap<>();
        values.forEach((name, value) -> given.put(name, new Given(value, origin)));
        return new SettingsSource(given);
    }

    /**
     * A file of Java properties, in UTF-8. What it gives comes from a line, which its origin names.
     *
     * @throws UncheckedIOException if it cannot be read
     * @throws MisconfiguredException if it is not of that form
     */
    public static SettingsSource file(Path file) {
        Map<String, Given> given = new TreeMap<>();
        try (LineNumberReader reader = new LineNumberReader(Files.newBufferedReader(file, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String origin = "file " + file + ", line " + reader.getLineNumber();
                Properties properties = new Properties();
                properties.load(new StringReader(withContinuations(line, reader)));
                properties
                        .stringPropertyNames()
                        .forEach(name -> given.put(name, new Given(properties.getProperty(name), origin)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException e) {
            throw new MisconfiguredException("The file " + file + " has a \\u that no four digits follow.", e);
        }
        return new SettingsSource(given);
    }

    /* Properties knows no lines, so it gets one at a time: with those behind it that a backslash makes part of it. */
    private static String withContinuations(String line, LineNumberReader reader) throws IOException {
        StringBuilder whole = new StringBuilder(line);
        boolean isComment = COMMENT.matcher(line).lookingAt();
        String last = line;
        while (!isComment && CONTINUED.matcher(last).find()) {
            last = reader.readLine();
            if (last == null) {
                break;
            }
            whole.append('\n').append(last);
        }
        return whole.toString();
    }

    /**
     * The variables {@code STRAKE_*} of a process.
     *
     * @throws MisconfiguredException if one of them is no setting and nothing else that is known
     */
    public static SettingsSource environment(Map<String, String> variables) {
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
                throw Settings.unknown(variable, "environment");
            }
        });
        return new SettingsSource(given);
    }
}
